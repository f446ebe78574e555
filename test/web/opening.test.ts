import { randomUUID } from 'node:crypto'
import type { Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('opening a request', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('takes one round trip: all that it shows is read at the same time, and nothing of it twice', async () => {
    const questions = [{ question: 'Which database?', options: ['SQLite', 'PostgreSQL'] }]
    const { id } = await site.hub.raise({ key: randomUUID(), questions })
    const page = await site.visit({ worker: false, path: '/settings' })
    // Elsewhere, so that nothing of another page is still on its way.
    await page.goto('about:blank')
    const calls = new Map<string, Route>()
    await page.route('**/api/**', route => void calls.set(new URL(route.request().url()).pathname, route))
    await page.goto(`${site.url}/requests/${id}`)
    const [session, request, drafts] = ['/api/session', `/api/requests/${id}`, `/api/requests/${id}/drafts`]
    await expect.poll(() => [...calls.keys()].sort()).toEqual(['/api/inbox', request, drafts, session])
    // The session last: what came before it used to be forgotten and read again. Whatever else is called gets no answer.
    for (const path of [drafts, request, session]) {
      const answered = page.waitForResponse(response => new URL(response.url()).pathname === path)
      await calls.get(path)?.continue()
      await answered
    }
    await page.getByRole('heading', { name: 'Which database?' }).waitFor()
    await page.locator('.decision-bar button:enabled', { hasText: 'SQLite' }).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  it('keeps a key of the list that is pressed before the list is there', async () => {
    const questions = [{ question: 'Later?', options: ['yes', 'no'] }]
    const { id } = await site.hub.raise({ key: randomUUID(), questions })
    const page = await site.visit({ worker: false, path: '/settings' })
    const isKeyPressed = Promise.withResolvers<void>()
    await page.route('**/api/inbox?*', route => isKeyPressed.promise.then(() => route.continue()))
    await page.goto(`${site.url}/requests/${id}`)
    await page.getByRole('heading', { name: 'Later?' }).waitFor()
    await page.keyboard.press('z')
    isKeyPressed.resolve()
    await page.getByRole('button', { name: /^For an hour/ }).click()
    await page.getByText(/^Snoozed until/).waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})
