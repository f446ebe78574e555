import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, pressKey, requireChrome, type Site, walk } from './fixture.ts'

// Shows: Escape, the selection, and keys that come before the page is ready for them.
describe('keys without a mouse', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (chrome) site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  function ask(question: string) {
    const questions = [{ question, options: ['yes', 'no'] }]
    return site.hub.raise({ key: randomUUID(), questions })
  }

  async function status(id: string) {
    return (await site.hub.get(id)).status
  }

  it('goes back to the list and keeps a selection when a dialog is left, and decides the selection together', async () => {
    const asked = []
    for (const title of ['Fix line 1?', 'Fix line 2?', 'Fix line 3?', 'Paint it?']) asked.push(await ask(title))
    const page = await site.visit({ path: `/requests/${asked[2]?.id}` })
    await page.getByRole('heading', { name: 'Fix line 3?' }).waitFor()
    await page.locator('.row', { hasText: 'Fix line 3?' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focusedRow(page)).toContain('Fix line 3?')
    await page.getByRole('heading', { name: 'Fix line 3?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.locator('h1:focus', { hasText: 'Fix line 3?' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('textbox', { name: /^Message to/ }).waitFor()
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'Ask back' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => focusedRow(page)).toContain('Fix line 3?')

    // From the focused row, one key after the other: each moves on by one.
    await page.keyboard.press('k')
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Fix line 2?' }).waitFor()
    await page.keyboard.press('Shift+J')
    await page.getByText('2 selected').waitFor()
    await page.getByRole('heading', { name: 'Fix line 1?' }).waitFor()

    // With a selection, no key decides the open request alone.
    await pressKey(page, '1')
    await page.keyboard.press('z')
    await page.getByRole('heading', { name: 'Snooze 2 requests' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.selection-bar').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Fix line 1?' }).waitFor()

    await page.keyboard.press('Shift+K')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('a')
    await page.getByRole('radio', { name: 'yes' }).waitFor()
    await page.keyboard.press('2')
    await page.keyboard.press('Control+Enter')
    await page.getByText('2 answered').waitFor()
    const outcomes = await Promise.all(asked.map(async ({ id }) => (await site.hub.get(id)).outcome?.answers?.[0]))
    expect(outcomes.map(answer => answer?.selected)).toEqual([['no'], ['no'], undefined, undefined])

    // Find and Enter open the first; the next key counts at once.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('paint')
    await page.waitForURL(url => url.searchParams.get('search') === 'paint')
    await page.locator('.row-title', { hasText: 'Paint it?' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Paint it?' }).waitFor()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    expect(page.notices.bad).toEqual([])
  })

  it('takes a key for the request on the screen when its draft is there, and says so if it was too early', async () => {
    const [last, second, first] = [await ask('Third?'), await ask('Second?'), await ask('First?')]
    const page = await site.visit({ worker: false })
    await page.getByRole('heading', { name: 'First?' }).waitFor()
    await page.locator('.verb:enabled', { hasText: 'yes' }).waitFor()
    const drafts = await stall(page, `**/api/requests/${second.id}/drafts`)
    const opened = await stall(page, `**/api/requests/${last.id}`)
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Second?' }).waitFor()
    // Its verbs are not ready: the first key waits for them, and the second one for the first.
    await page.keyboard.press('2')
    await page.keyboard.press('j')
    await page.locator('.verb:disabled', { hasText: 'no' }).waitFor()
    drafts()
    await page.waitForURL(url => url.pathname.endsWith(last.id))
    await page.getByRole('button', { name: 'Undo' }).waitFor()

    // Nobody decides what is not on the screen.
    await page.keyboard.press('1')
    await page.getByText('Still loading. Press 1 again.').waitFor()
    opened()
    await page.locator('.verb:enabled', { hasText: 'yes' }).waitFor()
    await page.keyboard.press('u')
    await page.waitForURL(url => url.pathname.endsWith(second.id))
    await page.locator('.verb[aria-pressed="true"]', { hasText: 'no' }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: /^For an hour/ }).waitFor()
    await page.keyboard.press('1')
    await page.locator('h1:focus', { hasText: 'Third?' }).waitFor()
    await page.getByText(/^Snoozed until/).waitFor()
    await page.keyboard.press('u')
    await page.locator('.row', { hasText: 'Second?' }).waitFor()
    const review = await site.hub.raise({ key: randomUUID(), kind: 'review', title: 'The parser' })
    await walk(page, `/requests/${review.id}`)
    await page.locator('h1:focus', { hasText: 'The parser' }).waitFor()
    expect(await Promise.all([first, second, last].map(({ id }) => status(id)))).toEqual(Array(3).fill('pending'))
    expect(page.notices.bad).toEqual([])
  })
})

async function focusedRow(page: Page): Promise<string> {
  return page.evaluate(`document.activeElement.matches('.row') ? document.activeElement.textContent : ''`)
}

/** Answers to these calls wait until the returned function is called. */
async function stall(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async route => {
    await promise
    await route.continue()
  })
  return resolve
}
