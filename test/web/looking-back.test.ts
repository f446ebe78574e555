import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, type House, needsChrome, openHouse } from './house.ts'
import { forcePush } from './samples.ts'

describe('history and settings in the browser', () => {
  let house: House
  beforeEach(needsChrome)
  beforeAll(async () => {
    if (!chrome) return
    house = await openHouse()
    const { hub } = house
    for (const [question, value] of [
      ['Ship version 2.4?', 'yes'],
      ['Which colour?', '=1+1'],
    ] as const) {
      const { id } = await hub.raise({ key: randomUUID(), questions: [{ question }] })
      await hub.answer(id, { value, by: 'jun', channel: 'terminal', note: 'with "quotes", and commas' })
    }
    const { id } = await hub.raise({ key: randomUUID(), ...forcePush })
    await hub.decline(id, { reason: 'not on a Friday' })
  })
  afterEach(() => house?.leave())
  afterAll(() => house?.close())

  it('has everything that was ever asked, with outcome, who, where and how long', async () => {
    const page = await house.visit({ path: '/history' })
    const row = page.locator('.past .row', { hasText: 'Ship version 2.4?' })
    await row.waitFor()
    expect(await row.textContent()).toMatch(/yes.*Answered.*jun, in a terminal.*after \d+s.*claude-code/)
    expect(await page.locator('.past .row').count()).toBe(3)
    await row.click()
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
  })

  it('searches and filters', async () => {
    const page = await house.visit({ path: '/history' })
    const titles = page.locator('.past .row-title')
    await titles.nth(2).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('colour')
    await expect.poll(() => titles.allTextContents()).toEqual(['Which colour?'])
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('declined')
    await expect.poll(() => titles.allTextContents()).toEqual(['git fetch origin && git push --force origin main'])
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('review')
    await page.getByText('Nothing was found.').waitFor()
  })

  it('exports what is shown, as JSON and as CSV that no spreadsheet takes for formulas', async () => {
    const page = await house.visit({ path: '/history' })
    await page.locator('.past .row').nth(2).waitFor()
    const json = JSON.parse(await exported('Export JSON'))
    expect(json.requests.map((request: { status: string }) => request.status)).toEqual([
      'declined',
      'answered',
      'answered',
    ])
    const csv = await exported('Export CSV')
    expect(csv.split('\r\n')[0]).toContain('\ufeff"id","run","kind","status","agent","cwd","title","value"')
    expect(csv).toContain(`,"Which colour?","'=1+1","","with ""quotes"", and commas",`)

    async function exported(name: string): Promise<string> {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
      return readFileSync(await download.path(), 'utf8')
    }
  })

  it('makes a token whose secret is shown once, and revokes it', async () => {
    const page = await house.visit({ path: '/settings' })
    await page.getByLabel('Name').fill('build agents')
    await page.getByRole('button', { name: 'Create a token' }).click()
    const secret = (await page.locator('.secret-once code').textContent()) ?? ''
    const ask = () =>
      fetch(`${house.url}/api/requests`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ questions: [{ question: `By token, ${randomUUID()}?` }] }),
      }).then(({ status }) => status)
    expect(await ask()).toBe(201)
    await page.reload()
    await page.getByText('build agents').first().waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Revoke… build agents' }).click()
    await page.getByRole('button', { name: 'Revoke it build agents' }).click()
    await page.getByRole('button', { name: /build agents/ }).waitFor({ state: 'detached' })
    expect(await ask()).toBe(401)
  })

  it('signs another device in by a link from the settings', async () => {
    const page = await house.visit({ path: '/settings' })
    await page.getByRole('button', { name: 'Make a link for another device' }).click()
    const link = (await page.locator('.secret-once code').textContent()) ?? ''
    const phone = await house.stranger()
    await phone.goto(link)
    await phone.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('remembers whether it is to be light or dark', async () => {
    const page = await house.visit({ path: '/settings', colours: 'light' })
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(246, 245, 241)')
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await ground()).toBe('rgb(19, 20, 22)')
    await page.reload()
    await page.getByRole('radio', { name: 'Dark' }).waitFor()
    expect(await ground()).toBe('rgb(19, 20, 22)')
  })

  it('signs in by a link that works once and is not left in the address, and signs out', async () => {
    const link = await house.newLink()
    const first = await house.stranger()
    await first.goto(`${house.url}/history`)
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
    expect(await first.content()).not.toContain('Ship version')
    await first.getByLabel('Or paste the link here').fill(link)
    await first.getByRole('button', { name: 'Sign in' }).click()
    await first.getByRole('heading', { name: 'History' }).waitFor()
    expect(first.url()).toBe(`${house.url}/history`)
    const second = await house.stranger()
    await second.goto(link)
    await second.getByText('This link was used before, or is too old.').waitFor()
    expect(second.url()).not.toContain('signin')
    await first.getByRole('link', { name: 'Settings' }).click()
    await first.getByRole('button', { name: 'Sign out' }).click()
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
    await first.reload()
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
  })
})
