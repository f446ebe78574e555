import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { fakeSubscription } from './fake-subscription.ts'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

// Shows: Notifications: title and icon, of the browser, pushed through a service worker, each request once, a click opens it;
// installable.
describe('notifications', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite({ notifies: true })
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

  type Showing = { evaluate(script: string): Promise<unknown> }

  /** Chromium forgets a notification that somebody lists while it is being shown, so it is listed only afterwards. */
  async function countShown(by: Showing) {
    await by.evaluate(`{
      const { showNotification } = ServiceWorkerRegistration.prototype
      self.shownSoFar = 0
      ServiceWorkerRegistration.prototype.showNotification = async function (...given) {
        await showNotification.apply(this, given)
        self.shownSoFar += 1
      }
    }`)
    return async (page: Awaited<ReturnType<Site['visit']>>, count: number) => {
      await expect.poll(() => by.evaluate('self.shownSoFar')).toBe(count)
      return (await shown(page)).sort((a, b) => (a.tag < b.tag ? -1 : 1))
    }
  }

  async function workerOf(page: Awaited<ReturnType<Site['visit']>>) {
    return page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
  }

  it('shows a notification once for a new request while the page has no focus', async () => {
    const page = await visitAllowed()
    await page.reload()
    await page.getByRole('checkbox', { name: 'While this page is open' }).check()
    await page.evaluate('document.hasFocus = () => false')
    const shownAfter = await countShown(page)
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Look here?' }] })
    expect(await shownAfter(page, 1)).toEqual([{ title: 'claude-code: Look here?', tag: id, url: `/requests/${id}` }])
  })

  it('shows one pushed notification per request, links only to its own pages, and replaces it once settled', async () => {
    const page = await visitAllowed()
    const session = await page.context().newCDPSession(page)
    const registrations: { registrationId: string }[] = []
    session.on('ServiceWorker.workerRegistrationUpdated', event => registrations.push(...event.registrations))
    await session.send('ServiceWorker.enable')
    await expect.poll(() => registrations.length).toBeGreaterThan(0)
    // A worker that is still being installed or activated takes no messages.
    await expect
      .poll(() => page.evaluate('navigator.serviceWorker.ready.then(({ active }) => active.state)'))
      .toBe('activated')
    const push = (message: object) =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin: site.url,
        registrationId: registrations[0]?.registrationId ?? '',
        data: JSON.stringify(message),
      })
    const shownAfter = await countShown(await workerOf(page))
    const titles = async (count: number) => (await shownAfter(page, count)).map(({ title }) => title)
    await push({ id: 'req_1', title: 'Asked', body: 'Ship it?' })
    expect(await titles(1)).toEqual(['Asked'])
    await push({ id: 'req_1', title: 'Asked again', body: 'Ship it?' })
    expect(await titles(2)).toEqual(['Asked again'])
    await push({ id: 'req_2', title: 'Other', url: 'https://evil.example/x' })
    expect(await shownAfter(page, 3)).toEqual([
      { title: 'Asked again', tag: 'req_1', url: '/requests/req_1' },
      { title: 'Other', tag: 'req_2', url: '/requests/req_2' },
    ])
    await push({ id: 'req_1', title: 'Settled', body: 'Answered by ana: Ship it?', settled: true })
    expect(await titles(4)).toEqual(['Settled', 'Other'])
  })

  it('answers a simple question in the notification, and says who was first when it lost', async () => {
    const page = await visitAllowed()
    // Where the device opted in, the worker has what a page would send.
    await page.evaluate(`new Promise(resolve => {
      const opening = indexedDB.open('beckon', 1)
      opening.onupgradeneeded = () => opening.result.createObjectStore('worker')
      opening.onsuccess = () => {
        const change = opening.result.transaction('worker', 'readwrite')
        change.objectStore('worker').put(localStorage.getItem('beckon.page'), 'page')
        change.oncomplete = () => resolve(opening.result.close())
      }
    })`)
    const worker = await workerOf(page)
    const shownAfter = await countShown(worker)
    const ask = async (question: string, canReply = false) =>
      (await site.hub.raise({ key: randomUUID(), canReply, questions: [{ question, options: ['yes', 'no'] }] })).id
    const push = (id: string) =>
      worker.evaluate(`show({ id: '${id}', title: 'Asked', quick: { question: 'q1', options: ['yes', 'no'] } })`)
    const press = (id: string, action: string) =>
      worker.evaluate(`self.registration.getNotifications({ tag: '${id}' }).then(([notification]) => {
        self.dispatchEvent(new NotificationEvent('notificationclick', { notification, action: '${action}' }))
        return notification.actions.map(({ title }) => title)
      })`)
    const first = await ask('Ship it?')
    await push(first)
    expect(await press(first, 'second')).toEqual(['yes', 'no'])
    expect((await site.hub.wait(first, { for: 10_000 })).outcome).toMatchObject({
      answers: [{ selected: ['no'] }],
      by: 'mina',
      channel: 'web',
    })
    await expect.poll(async () => (await shown(page)).length).toBe(0)
    const lost = await ask('Ship that?')
    await push(lost)
    await site.hub.answer(lost, { value: 'yes', by: 'jun' })
    await press(lost, 'second')
    // The two questions, and what came in the place of the second.
    expect(await shownAfter(page, 3)).toEqual([{ title: 'Already answered', tag: lost, url: `/requests/${lost}` }])
    expect((await site.hub.get(lost)).outcome).toMatchObject({ answers: [{ selected: ['yes'] }], by: 'jun' })
    // A question that somebody asked back about is read before it is answered.
    const asked = await ask('Ship which?', true)
    await push(asked)
    await site.hub.messages.send(asked, { text: 'The old one, or the new one?' })
    await press(asked, 'first')
    await page.waitForURL(`**/requests/${asked}`)
    expect((await site.hub.get(asked)).status).toBe('pending')
    // Without the page's secret, a cookie alone answers nothing.
    const third = await ask('Ship this?')
    await worker.evaluate('self.pageSecret = async () => null')
    await push(third)
    await press(third, 'first')
    expect((await shownAfter(page, 6)).map(({ title }) => title)).toContain('Not sent')
    expect((await site.hub.get(third)).status).toBe('pending')
  })

  it('lets a device choose what it is pushed, and tests it', async () => {
    const page = await visitAllowed()
    // No test should register anything with a service of somebody else.
    await page.evaluate(fakeSubscription)
    const section = page.getByRole('region', { name: 'Notifications' })
    await section.getByRole('checkbox', { name: 'Push to this device, even when it is closed' }).click()
    const target = async () =>
      (await site.hub.targets.list()).map(({ kind, urgentOnly, quickAnswers }) => ({ kind, urgentOnly, quickAnswers }))
    await expect.poll(target).toEqual([{ kind: 'push', urgentOnly: undefined, quickAnswers: undefined }])
    await section.getByRole('radio', { name: 'Only urgent' }).check()
    const quick = section.getByRole('checkbox', { name: 'Answer simple questions in the notification' })
    expect(await quick.isChecked()).toBe(false)
    await quick.check()
    await expect.poll(target).toEqual([{ kind: 'push', urgentOnly: true, quickAnswers: true }])
    await section.getByRole('button', { name: 'Send a test' }).click()
    await section.getByText('It was not accepted: cannot be reached').waitFor()
    await section.getByRole('checkbox', { name: 'Push to this device, even when it is closed' }).click()
    await expect.poll(target).toEqual([])
  })

  it('says what to do when the browser cannot receive push messages, and leaves the other setting alone', async () => {
    const page = await visitAllowed()
    // No test should register anything with a service of somebody else.
    await page.evaluate(`PushManager.prototype.subscribe = () =>
      Promise.reject(new DOMException('Registration failed', 'AbortError'))`)
    await page.getByRole('checkbox', { name: 'Push to this device, even when it is closed' }).click()
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
      const icon = await page.request.get(new URL(src, `${site.url}/manifest.webmanifest`).href)
      expect(icon.headers()['content-type'], src).toMatch(/^image\//)
    }
  })
})
