import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('the page without its server', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('opens from its own cache, says that it is offline, keeps no answer of the API, and goes on by itself', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Still there?' }] })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('heading', { name: 'Still there?' }).waitFor()
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)')
    const cached = () =>
      page.evaluate<string[]>(`caches.keys().then(async names => (await Promise.all(names.map(async name =>
        (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname)))).flat())`)
    await expect.poll(cached).toContain('/')
    await site.stopServer()
    await page.reload()
    await page.getByRole('heading', { name: 'You are offline' }).waitFor()
    expect((await cached()).filter(path => !/^\/($|assets\/)/.test(path))).toEqual([])
    await site.startServerAgain()
    // Nobody reloads: it used to stay on "The server cannot be reached."
    await page.getByRole('heading', { name: 'Still there?' }).waitFor({ timeout: 20_000 })
    expect(await page.getByText('cannot be reached').count()).toBe(0)
  })

  it('reads what failed again once the server is back', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Asked twice?' }] })
    const page = await site.visit()
    await page.getByRole('heading', { name: 'Asked twice?' }).waitFor()
    await page.locator('.connection.live').waitFor({ state: 'attached' })
    await site.stopServer()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    await page.evaluate(
      `history.pushState(null, '', '/requests/req_${'0'.repeat(26)}'); dispatchEvent(new Event('popstate'))`,
    )
    await page.getByRole('heading', { name: 'The server cannot be reached.' }).waitFor()
    await site.startServerAgain()
    await page.getByRole('heading', { name: 'This request does not exist.' }).waitFor({ timeout: 20_000 })
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' })
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('stays as it is while a part of it cannot be loaded, and loads it once the server is back', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Anything else?' }] })
    const page = await site.visit({ path: `/requests/${id}`, worker: false })
    await page.getByRole('heading', { name: 'Anything else?' }).waitFor()
    await page.locator('.connection.live').waitFor({ state: 'attached' })
    let lost = 0
    await page.route(/\/assets\/runs?-|\/healthz$/, route => {
      lost += 1
      return route.abort('connectionrefused')
    })
    await page.evaluate('document.isFirst = true')
    await page.getByRole('link', { name: 'Runs' }).first().click()
    // The part itself, and then twice the server.
    await expect.poll(() => lost).toBeGreaterThan(2)
    expect(await page.evaluate('document.isFirst')).toBe(true)
    await page.unrouteAll()
    await page.getByRole('heading', { name: 'Runs' }).waitFor()
  })
})
