import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { destroyAll } from './samples.ts'

// More than the page used to list: the newest 2,000.
const newer = 2_100

describe('a long inbox', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
    await site.hub.raise({ key: randomUUID(), ...destroyAll })
    await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Where is the oldest needle?' }] })
    const asked = Array.from({ length: newer }, (_, i) => ({
      key: randomUUID(),
      agent: { name: `agent-${i % 70}` },
      // Of few agents, but not alike: each is a row of its own.
      questions: [{ question: `Number ${i}?`, options: [`take ${i}`, 'leave'] }],
    }))
    await Promise.all(asked.map(input => site.hub.raise(input)))
  }, 120_000)
  afterAll(() => site?.close())

  it('leaves the letters that somebody types in the field, when the first request comes late', async () => {
    const page = await site.visit()
    let late = 0
    await page.route(/\/api\/requests\/req_\w+$/, () => {
      late += 1
    })
    await page.reload()
    await expect.poll(() => late).toBeGreaterThan(0)
    await page.locator('.row').nth(10).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('oldest n')
    await expect.poll(() => page.locator('.row-title').allTextContents()).toEqual(['Where is the oldest needle?'])
    // Lets them through.
    await page.unrouteAll()
    await page.locator('.decision-bar button:enabled').first().waitFor()
    await page.keyboard.type('eedle')
    expect(await page.getByRole('searchbox', { name: 'Find anything that waits' }).inputValue()).toBe('oldest needle')
  })

  it('shows what is urgent first, counts everything and finds the oldest, whatever came later', async () => {
    const page = await site.visit()
    await page.locator('.row').nth(10).waitFor()
    expect(await page.locator('.row-title').first().textContent()).toBe('terraform destroy -auto-approve')
    await page.getByText(`${newer + 2} waiting`).waitFor()
    await page.getByRole('link', { name: 'Urgent 1' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('oldest NEEDLE')
    await expect.poll(() => page.locator('.row-title').allTextContents()).toEqual(['Where is the oldest needle?'])
    // The first letters find it already; the address follows when the person pauses.
    await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('oldest NEEDLE')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Where is the oldest needle?' }).waitFor()
    const field = page.getByRole('searchbox', { name: 'Find anything that waits' })
    await field.fill('terraform')
    await expect.poll(() => page.locator('.row-title').allTextContents()).toEqual(['terraform destroy -auto-approve'])
    await field.fill('nothing like this')
    await page.locator('.inbox').getByText('No results').waitFor()
    await field.fill('')
    await page.locator('.row').nth(10).waitFor()
    expect(page.notices.bad).toEqual([])
  })

  it('reads rows as the person scrolls, draws a screenful of them, and goes through them by key', async () => {
    const page = await site.visit()
    await page.locator('.row').nth(10).waitFor()
    await page.getByRole('heading', { name: 'Critical approval' }).waitFor()
    const scroll = () =>
      page.evaluate(`(() => {
        const list = document.querySelector('.inbox-scroller')
        list.scrollTop = list.scrollHeight
        return list.scrollHeight
      })()`)
    await expect.poll(scroll, { timeout: 20_000 }).toBeGreaterThan(300 * 44)
    expect(await page.locator('.inbox .row').count()).toBeLessThan(60)
    // The open request is far above; the next one by key is still the one below it.
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: `Number ${newer - 1}?` }).waitFor()
    await page.locator('.row[aria-current]', { hasText: `Number ${newer - 1}?` }).waitFor()
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: 'Critical approval' }).waitFor()
  })

  it('opens a request that the list is still waiting for', async () => {
    const { requests } = await site.hub.list({ limit: 3 })
    const oldest = requests.find(({ kind }) => kind === 'question')
    const page = await site.visit()
    let letGo = () => {}
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    await page.route('**/api/inbox*', async route => {
      await held
      await route.continue().catch(() => {})
    })
    await page.goto(`${site.url}/requests/${oldest?.id}`)
    // It used to wait for the whole list.
    await page.getByRole('heading', { name: 'Where is the oldest needle?' }).waitFor()
    expect(await page.locator('.list-skeleton').count()).toBe(1)
    letGo()
    await page.locator('.row').nth(10).waitFor()
  })
})
