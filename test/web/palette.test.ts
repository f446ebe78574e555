import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

describe('the keyboard', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (chrome) site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('finds requests and commands behind Ctrl-K, and runs them', async () => {
    for (const question of ['Paint it green?', 'Ship the zebra today?', 'Buy milk?']) {
      await site.hub.raise({ key: randomUUID(), questions: [{ question, options: ['yes', 'no'] }] })
    }
    const page = await site.visit()
    await page.getByRole('heading', { name: 'Buy milk?' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('combobox', { name: 'Find a request or a command' })
    await field.waitFor()
    await page.keyboard.type('ZEBRA ship')
    const options = page.getByRole('listbox', { name: 'Command palette' }).getByRole('option')
    await expect.poll(() => options.allTextContents()).toEqual([expect.stringContaining('Ship the zebra today?')])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Ship the zebra today?' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('settings')
    await expect.poll(() => options.allTextContents()).toEqual([expect.stringContaining('Go to the settings')])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('nothing is called so')
    await page.getByText('Nothing found').waitFor()
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    expect(page.notices.bad).toEqual([])
  })

  it('decides a hundred requests, one after the other, and nothing else is needed', async () => {
    const asked = new Map<string, { title: string; key: string }>()
    for (let i = 0; i < 100; i += 1) {
      const title = `Step ${i} of ${randomUUID()}`
      const isReview = i % 5 === 4
      const { id } = await site.hub.raise(
        isReview ? { kind: 'review', title } : { questions: [{ question: title, options: ['left', 'right'] }] },
      )
      asked.set(id, { title, key: isReview ? 'a' : i % 2 === 0 ? '1' : '2' })
    }
    const page = await site.visit()
    for (const left = new Set(asked.keys()); left.size > 0; ) {
      await page.waitForURL(url => left.has(openIn(url)))
      const id = openIn(new URL(page.url()))
      const { title, key } = asked.get(id) as { title: string; key: string }
      await page.locator('main h1', { hasText: title }).waitFor()
      await page.keyboard.press(key)
      await page.waitForURL(url => openIn(url) !== id)
      left.delete(id)
    }
    // Each decision waits for five seconds, in which it can be undone.
    await expect.poll(async () => (await site.hub.list({ limit: 200 })).requests.length, { timeout: 20_000 }).toBe(0)
    const settled = (await site.hub.list({ status: 'answered', limit: 200 })).requests.filter(({ id }) => asked.has(id))
    expect(settled).toHaveLength(100)
    for (const { id, outcome } of settled) {
      const { key } = asked.get(id) as { key: string }
      if (key !== 'a') expect(outcome?.answers?.[0]?.selected).toEqual([key === '1' ? 'left' : 'right'])
    }
    expect(page.notices.bad).toEqual([])
  }, 120_000)
})

function openIn({ pathname }: URL): string {
  return pathname.split('/').at(-1) ?? ''
}
