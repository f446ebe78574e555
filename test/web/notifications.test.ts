import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

// Shows: Notifications: title and icon, of the browser, pushed through a service worker, each request once, a click opens it;
// installable.
describe('notifications', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  async function visitAllowed() {
    const page = await site.visit({ path: '/settings' })
    await page.context().grantPermissions(['notifications'], { origin: site.url })
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    return page
  }

  type Shown = { title: string; tag: string; url: string }
  const shown = (page: Awaited<ReturnType<Site['visit']>>) =>
    page.evaluate<
      Shown[]
    >(`navigator.serviceWorker.ready.then(registration => registration.getNotifications()).then(all =>
      all.map(({ title, tag, data }) => ({ title, tag, url: data.url })))`)

  it('shows a notification once for a new request while the page has no focus', async () => {
    const page = await visitAllowed()
    await page.reload()
    await page.getByRole('checkbox', { name: 'Notify me about new requests while this page is open' }).check()
    await page.evaluate('document.hasFocus = () => false')
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Look here?' }] })
    await expect
      .poll(() => shown(page))
      .toEqual([{ title: 'claude-code: Look here?', tag: id, url: `/requests/${id}` }])
  })

  it('shows one pushed notification per request, links only to its own pages, and removes it once settled', async () => {
    const page = await visitAllowed()
    const session = await page.context().newCDPSession(page)
    const registrations: { registrationId: string }[] = []
    session.on('ServiceWorker.workerRegistrationUpdated', event => registrations.push(...event.registrations))
    await session.send('ServiceWorker.enable')
    await expect.poll(() => registrations.length).toBeGreaterThan(0)
    // A worker that is still being installed takes no messages.
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    const push = (message: object) =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin: site.url,
        registrationId: registrations[0]?.registrationId ?? '',
        data: JSON.stringify(message),
      })
    await push({ id: 'req_1', title: 'Asked', body: 'Ship it?' })
    await expect.poll(async () => (await shown(page)).map(({ title }) => title)).toEqual(['Asked'])
    await push({ id: 'req_1', title: 'Asked again', body: 'Ship it?' })
    await expect.poll(async () => (await shown(page)).map(({ title }) => title)).toEqual(['Asked again'])
    await push({ id: 'req_2', title: 'Other', url: 'https://evil.example/x' })
    await expect
      .poll(async () => (await shown(page)).sort((a, b) => (a.tag < b.tag ? -1 : 1)))
      .toEqual([
        { title: 'Asked again', tag: 'req_1', url: '/requests/req_1' },
        { title: 'Other', tag: 'req_2', url: '/requests/req_2' },
      ])
    await push({ id: 'req_1', settled: true })
    await expect.poll(async () => (await shown(page)).map(({ tag }) => tag)).toEqual(['req_2'])
  })

  it('says what to do when the browser cannot receive push messages, and leaves the other setting alone', async () => {
    const page = await visitAllowed()
    // No test should register anything with a service of somebody else.
    await page.evaluate(`PushManager.prototype.subscribe = () =>
      Promise.reject(new DOMException('Registration failed', 'AbortError'))`)
    await page
      .getByRole('checkbox', { name: 'Send push notifications to this device even when no page is open' })
      .click()
    const words = 'This browser cannot receive push notifications. Allow notifications, or try another browser.'
    await page
      .getByRole('alert')
      .filter({ hasText: `${words} (Registration failed)` })
      .waitFor()
    const boxes = page.locator('.settings-section', { hasText: 'Notifications' }).getByRole('checkbox')
    expect(await boxes.nth(0).isChecked()).toBe(false)
    expect(await boxes.nth(1).isChecked()).toBe(false)
  })

  it('is installable: its manifest lists icons that exist', async () => {
    const page = await site.visit()
    const manifest = (await (await page.request.get(`${site.url}/manifest.webmanifest`)).json()) as {
      display: string
      icons: { src: string }[]
    }
    expect(manifest.display).toBe('standalone')
    for (const { src } of manifest.icons) {
      const icon = await page.request.get(`${site.url}${src}`)
      expect(icon.headers()['content-type'], src).toMatch(/^image\//)
    }
  })
})
