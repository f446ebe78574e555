import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { destroyAll, forcePush } from './samples.ts'

// Shows: filters, several at once, alike ones together, snooze, and what all of it never does to something dangerous.
describe('triage in the inbox', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  function ask(question: string, agent = 'lint-bot', cwd = '/srv/docs') {
    const questions = [{ question, options: ['yes', 'no'] }]
    return site.hub.raise({ key: randomUUID(), agent: { name: agent, cwd }, questions })
  }

  function lint(count: number) {
    return Promise.all(Array.from({ length: count }, (_, i) => ask(`Fix the warning in src/file-${i}.ts:${i}?`)))
  }

  function titles(page: Page) {
    return page.locator('.inbox .row-title').allTextContents()
  }

  async function statuses(ids: readonly { id: string }[]) {
    return new Set(await Promise.all(ids.map(async ({ id }) => (await site.hub.get(id)).status)))
  }

  it('folds what one agent asks over and over, shows it, and answers it together after one confirmation', async () => {
    const asked = await lint(12)
    const other = await ask('Rename the column?')
    const page = await site.visit()
    await page.getByText('11 more like this').waitFor()
    expect(await titles(page)).toHaveLength(2)
    await page.getByRole('link', { name: 'Show', exact: true }).click()
    await expect.poll(async () => (await titles(page)).length).toBe(12)
    await page.goBack()
    await page.getByRole('button', { name: 'Answer together' }).click()
    await page.getByRole('radio', { name: 'yes' }).check()
    // Somebody else decides one of them meanwhile.
    await site.hub.decline(asked[3]?.id ?? '', { reason: 'no', by: 'jun' })
    await page.getByRole('button', { name: 'Answer 12' }).click()
    await page.getByText('11 answered · 1 not: Someone else answered first.').waitFor()
    expect(await statuses(asked)).toEqual(new Set(['answered', 'declined']))
    // The pointer is over the list, so what was decided stays in its place, struck.
    const waiting = page.locator('.row:not(.settled) .row-title')
    await expect.poll(() => waiting.allTextContents()).toEqual(['Rename the column?'])
    expect((await site.hub.get(other.id)).status).toBe('pending')
  })

  it('answers together only what it has listed: every title, and nothing that a filter leaves out', async () => {
    const asked = await lint(5)
    const hidden = await Promise.all([1, 2, 3, 4].map(i => ask(`Fix the warning in db/drop-${i}.sql:${i}?`)))
    const page = await site.visit({ path: '/?search=src' })
    await page.getByText('4 more like this').waitFor()
    await page.getByRole('button', { name: 'Answer together' }).click()
    const dialog = page.getByRole('dialog', { name: 'Answer together' })
    await dialog.getByRole('radio', { name: 'yes' }).check()
    const listed = await dialog.getByRole('listitem').allTextContents()
    expect(listed.toSorted()).toEqual([0, 1, 2, 3, 4].map(i => `Fix the warning in src/file-${i}.ts:${i}?`))
    await dialog.getByRole('button', { name: 'Answer 5' }).click()
    await page.getByText('5 answered').waitFor()
    expect(await statuses(asked)).toEqual(new Set(['answered']))
    expect(await statuses(hidden)).toEqual(new Set(['pending']))
  })

  it('selects with x and shift, declines several together, and never decides dangerous ones in a heap', async () => {
    const asked = [await ask('One?', 'a'), await ask('Two?', 'b'), await ask('Three?', 'c')]
    const danger = await site.hub.raise({ key: randomUUID(), ...forcePush })
    const page = await site.visit({ path: `/requests/${asked[2]?.id}` })
    await page.getByRole('heading', { name: 'Three?' }).waitFor()
    // The list comes after the request, and selecting is about the list.
    await page.locator('.row[aria-current]').waitFor()
    await page.keyboard.press('Shift+J')
    await page.getByRole('heading', { name: 'Two?' }).waitFor()
    await page.getByText('2 selected').waitFor()
    // Different questions have different answers.
    await page.getByText('Only requests that ask the same are answered together.').waitFor()
    expect(await page.getByRole('button', { name: 'Answer…' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Decline…' }).first().click()
    await page.getByRole('textbox', { name: 'Reason' }).fill('not this week')
    await page.getByRole('button', { name: 'Decline 2' }).click()
    await page.getByText('2 declined').waitFor()
    expect((await site.hub.get(asked[1]?.id ?? '')).outcome?.reason).toBe('not this week')
    expect((await site.hub.get(asked[0]?.id ?? '')).status).toBe('pending')
    await page.goto(`${site.url}/requests/${danger.id}`)
    await page.getByRole('heading', { name: 'Dangerous approval' }).waitFor()
    await page.locator('.row[aria-current]').waitFor()
    await page.keyboard.press('x')
    await page.getByText('Dangerous approvals are decided one by one.').waitFor()
    expect(
      await page
        .locator('.selection-bar')
        .getByRole('button', { name: /Answer|Decline/ })
        .count(),
    ).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator('.selection-bar').waitFor({ state: 'detached' })
  })

  it('snoozes with z for this person alone, takes it back by undo, and keeps critical ones in sight', async () => {
    const { id } = await ask('Later?')
    await ask('Now?')
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('heading', { name: 'Later?' }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: /^For an hour/ }).waitFor()
    await page.keyboard.press('1')
    await page.getByText(/^Snoozed until/).waitFor()
    await expect.poll(() => titles(page)).toEqual(['Now?'])
    await page.getByRole('link', { name: 'Snoozed 1' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await titles(page)).toSorted()).toEqual(['Later?', 'Now?'])
    // The key chose a time, and no option of the request.
    expect((await site.hub.get(id)).status).toBe('pending')
    const critical = await site.hub.raise({ key: randomUUID(), ...destroyAll })
    await page.goto(`${site.url}/requests/${critical.id}`)
    await page.getByRole('heading', { name: 'Critical approval' }).waitFor()
    await page.keyboard.press('z')
    await page.getByRole('button', { name: /^For an hour/ }).click()
    await page.getByText('Critical requests cannot be snoozed.').waitFor()
    expect((await titles(page))[0]).toContain('terraform destroy')
  })

  it('snoozes a row that a finger swipes aside, with undo, and opens one that it taps', async () => {
    await ask('Swipe me?')
    const page = await site.visit({ size: 'phone' })
    const row = page.locator('.row', { hasText: 'Swipe me?' })
    const box = await row.boundingBox()
    if (!box) throw new Error('no row')
    const touch = await page.context().newCDPSession(page)
    const at = (x: number) => [{ x, y: box.y + box.height / 2 }]
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(300) })
    for (const x of [270, 240, 200, 160, 120])
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(x) })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await page.getByText(/^Snoozed until/).waitFor()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await row.click()
    await page.getByRole('heading', { name: 'Swipe me?' }).waitFor()
  })

  it('filters by kind, project, agent and age, in the address, beside the request that is open', async () => {
    const { id } = await ask('In the shop?', 'codex', '/srv/shop')
    await ask('In the docs?', 'codex', '/srv/docs')
    await site.hub.raise({ key: randomUUID(), ...forcePush, agent: { name: 'claude-code', cwd: '/srv/shop' } })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.locator('.row').nth(2).waitFor()
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Project' }).selectOption({ label: 'shop' })
    await expect.poll(async () => (await titles(page)).length).toBe(2)
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('question')
    await expect.poll(() => titles(page)).toEqual(['In the shop?'])
    expect(page.url()).toBe(`${site.url}/requests/${id}?project=%2Fsrv%2Fshop&kind=question`)
    await page.reload()
    await expect.poll(() => titles(page)).toEqual(['In the shop?'])
    await page.getByRole('combobox', { name: 'Agent' }).selectOption('claude-code')
    await page.getByText('Nothing here waits').waitFor()
    await page.getByRole('link', { name: 'Show everything that waits' }).click()
    await expect.poll(async () => (await titles(page)).length).toBe(3)
    await page.getByRole('button', { name: 'Filters' }).click()
    await page.getByRole('combobox', { name: 'Age', exact: true }).selectOption({ label: 'over an hour' })
    await page.getByText('Nothing here waits').waitFor()
  })

  it('lists every key in help, goes to pages by g and a letter, and treats no other key so', async () => {
    await ask('Stay?')
    const page = await site.visit()
    await page.getByRole('heading', { name: 'Stay?' }).waitFor()
    await page.keyboard.press('?')
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const key of ['x', 'z', '/', 'g']) await help.locator('kbd').getByText(key, { exact: true }).first().waitFor()
    await page.keyboard.press('Escape')
    for (const [key, heading] of [
      ['h', 'History'],
      ['s', 'Settings'],
      ['r', 'Runs'],
      ['i', 'Inbox'],
    ] as const) {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    }
  })
})
