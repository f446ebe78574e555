import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('a long inbox', () => {
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

  it('grows only at its end, and counts the requests of each group', async () => {
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
    expect(all.map(head => head.replace(/^.* /, '')).reduce((sum, count) => sum + Number(count), 0)).toBe(240)
  })

  it('keeps its height while it is scrolled, so that no row or button moves under the pointer', async () => {
    const page = await site.visit()
    await page.locator('.inbox .row-title').nth(199).waitFor()
    const heights = await page.evaluate<number[]>(`(async () => {
      const list = document.querySelector('.inbox')
      const heights = [list.scrollHeight]
      for (let top = 0; top < list.scrollHeight; top += 400) {
        list.scrollTop = top
        await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
        heights.push(list.scrollHeight)
      }
      return heights
    })()`)
    expect(new Set(heights).size).toBe(1)
  })

  it('is filtered by words of the question and the agent, with the keyboard alone', async () => {
    const page = await site.visit()
    const titles = page.locator('.inbox .row-title')
    await titles.nth(199).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('AGENT-3 number 23')
    // Number 23 is agent-2's; the requests of agent-3 leave 3 when divided by 7.
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
