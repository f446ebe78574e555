import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('a long list of what waits', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
    const asked = Array.from({ length: 240 }, (_, i) => ({
      key: randomUUID(),
      agent: { name: `agent-${i % 7}` },
      questions: [{ question: `Number ${i}?` }],
    }))
    await Promise.all(asked.map(input => site.hub.raise(input)))
  })
  afterAll(() => site?.close())

  it('grows at its end alone, and says how many there are of whom', async () => {
    const page = await site.visit()
    const titles = page.locator('.inbox .row-title')
    await titles.nth(199).waitFor()
    const before = await titles.allTextContents()
    expect(before).toHaveLength(200)
    const heads = await page.locator('.group h2').allTextContents()
    await page.getByRole('button', { name: 'Show more' }).click()
    await titles.nth(239).waitFor()
    expect((await titles.allTextContents()).slice(0, 200)).toEqual(before)
    const all = await page.locator('.group h2').allTextContents()
    expect(all.slice(0, heads.length)).toEqual(heads)
    expect(all.map(head => head.replace(/^agent-\d/, '')).reduce((sum, count) => sum + Number(count), 0)).toBe(240)
  })

  it('is narrowed by words of the question and of who asks, by keys alone', async () => {
    const page = await site.visit()
    const titles = page.locator('.inbox .row-title')
    await titles.nth(199).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('AGENT-3 number 23')
    // 23 is agent-2's; of agent-3 are those that leave 3 when divided by 7.
    await expect.poll(async () => (await titles.allTextContents()).sort()).toEqual(['Number 234?'])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Number 234?' }).waitFor()
    const field = page.getByRole('searchbox', { name: 'Filter by agent or text' })
    await field.fill('nothing like this')
    await page.locator('.inbox').getByText('No results').waitFor()
    await field.fill('')
    await titles.nth(199).waitFor()
    expect(page.notices.bad).toEqual([])
  })
})
