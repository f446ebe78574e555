import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { fakeSubscription } from '../web/fake-subscription.ts'
import { chrome, requireChrome, sendAtOnce } from '../web/fixture.ts'
import { examples, startBehind } from './behind-proxy.ts'
import { findPrograms } from './proxies.ts'

findPrograms('caddy', 'nginx', 'openssl')

const options = ['yes', 'no']
// One pixel.
const picture = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg=='

describe.each(examples.filter(({ base }) => base !== ''))('the page behind $name', example => {
  let browser: Browser
  beforeAll(async () => {
    // A service worker needs a certificate that the whole browser accepts.
    browser = await chromium.launch({
      executablePath: chrome ?? '',
      args: ['--no-sandbox', '--disable-gpu', '--ignore-certificate-errors', '--disable-background-networking'],
    })
  })
  afterAll(() => browser?.close())

  it('signs in, answers, links, installs and works offline, all below its path', async test => {
    requireChrome(test)
    const site = await startBehind(example)
    onTestFinished(site.close)
    const permissions = ['notifications']
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 }, permissions })
    const page = await context.newPage()
    const strays: string[] = []
    page.on('request', call => {
      if (!call.url().startsWith(`${site.url}/`) && !call.url().startsWith('blob:')) strays.push(call.url())
    })
    page.on('pageerror', error => strays.push(error.message))

    await page.goto(site.link)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(`${site.url}/`)
    const [cookie] = await context.cookies()
    expect(cookie).toMatchObject({ name: '__Secure-beckon', path: '/beckon/', secure: true, httpOnly: true })

    // It comes by the stream of events, and is opened by a link of the list.
    const attachments = [{ name: 'layout.png', data: picture }]
    const { id } = await site.hub.raise({ questions: [{ question: 'Ship it?', options }], attachments })
    await page.getByRole('link', { name: 'Ship it?' }).click()
    await page.waitForURL(`${site.url}/requests/${id}`)
    await expect
      .poll(() => page.evaluate(`[...document.querySelectorAll('main img')].map(image => image.naturalWidth)`))
      .toEqual([1])
    await page.getByRole('button', { name: /^yes/ }).click()
    await sendAtOnce(page)
    const { outcome } = await site.hub.wait(id, { for: 15_000 })
    expect(outcome).toMatchObject({ status: 'answered', by: 'mina', channel: 'web' })

    // Other pages, by their links and by their addresses.
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    expect(page.url()).toBe(`${site.url}/history`)
    await page.goto(`${site.url}/requests/${id}`)
    await page.getByRole('heading', { name: 'Ship it?' }).first().waitFor()
    await page.goto(`${site.url}/settings`)
    await page.getByRole('button', { name: 'Create link' }).click()
    await expect.poll(() => page.locator('main').innerHTML()).toContain(`${site.url}/#signin=beckon_link_`)

    // The browser gets messages, and the worker answers from one.
    await page.evaluate(fakeSubscription)
    await page.getByRole('checkbox', { name: 'Push to this device, even when it is closed' }).click()
    await page.getByRole('checkbox', { name: 'Answer simple questions in the notification' }).check()
    await expect.poll(() => site.hub.targets.list()).toMatchObject([{ kind: 'push', quickAnswers: true }])
    const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
    const pushed = await site.hub.raise({ questions: [{ question: 'Push it?', options }] })
    const url = `${site.url}/requests/${pushed.id}`
    const message = { id: pushed.id, url, title: 'Asked', quick: { question: 'q1', options } }
    await worker.evaluate(`show(${JSON.stringify(message)})`)
    const shownAt = await worker.evaluate(`self.registration.getNotifications().then(([notification]) => {
      self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: 'second' }))
      return notification.data.url
    })`)
    expect(shownAt).toBe(`/beckon/requests/${pushed.id}`)
    const { answers } = (await site.hub.wait(pushed.id, { for: 15_000 })).outcome ?? {}
    expect(answers).toMatchObject([{ selected: ['no'] }])

    // What a browser installs, and the worker that keeps it.
    const manifest = await page.evaluate(`(async () => {
      const { href } = document.querySelector('link[rel=manifest]')
      const { start_url, scope, icons } = await (await fetch(href)).json()
      const addresses = [start_url, scope, icons[0].src].map(address => new URL(address, href).href)
      return [...addresses, (await fetch(addresses[2])).status]
    })()`)
    expect(manifest).toEqual([`${site.url}/`, `${site.url}/`, `${site.url}/assets/icon.svg`, 200])
    expect(await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')).toBe(`${site.url}/`)
    const hasKept = `caches.keys().then(names => names.some(name => name.includes('/beckon/assets/page-')))`
    await expect.poll(() => page.evaluate(hasKept)).toBe(true)
    await site.close()
    await page.goto(`${site.url}/requests/${id}`)
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    expect(strays).toEqual([])
    await context.close()
  }, 60_000)
})
