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

  it('decides a hundred requests of every kind, and nothing else is needed', async () => {
    const wanted = new Map<string, string>()
    for (let i = 0; i < 100; i += 1) {
      const { id } = await site.hub.raise(mixed(i))
      wanted.set(id, answerFor(i))
    }
    const page = await site.visit()
    for (let n = 0; n < 100; n += 1) {
      await expect.poll(() => openedBesides(page.url(), wanted)).toBe(true)
      const id = new URL(page.url()).pathname.split('/').at(-1) as string
      const key = wanted.get(id) as string
      await page.locator(`main [data-open="${id}"], main h1`).first().waitFor()
      await page.keyboard.press(key)
      await expect.poll(() => new URL(page.url()).pathname.endsWith(id)).toBe(false)
      wanted.delete(id)
    }
    await expect.poll(async () => (await site.hub.list({ limit: 200 })).requests.length, { timeout: 20_000 }).toBe(0)
    expect(page.notices.bad).toEqual([])
  }, 120_000)
})

/** Questions with options, and reviews. */
function mixed(i: number): Parameters<Site['hub']['raise']>[0] {
  const key = randomUUID()
  if (i % 5 === 4) return { key, kind: 'review', title: `Phase ${i}`, summary: 'All done.' } as never
  return { key, questions: [{ question: `Which one for step ${i} of ${key}?`, options: ['left', 'right'] }] }
}

function answerFor(i: number): string {
  return i % 5 === 4 ? 'a' : i % 2 === 0 ? '1' : '2'
}

function openedBesides(url: string, wanted: ReadonlyMap<string, string>): boolean {
  return wanted.has(new URL(url).pathname.split('/').at(-1) ?? '')
}
