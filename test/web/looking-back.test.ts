import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, type House, needsChrome, openHouse } from './house.ts'
import { forcePush } from './samples.ts'

// Shows: History: everything ever asked with outcome, who, where, how long it took; search, filter, export. Settings: tokens,
// browsers, theme. Signing in and out.
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
    await expect.poll(() => page.locator('.past .row').count()).toBe(3)
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

  it.each([
    ['laptop', 1],
    ['phone', 3],
  ] as const)('has its filters in few lines: %s, %i', async (size, lines) => {
    const page = await house.visit({ path: '/history', size })
    await page.locator('.filters').waitFor()
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.filters > *')].map(one => Math.round(one.getBoundingClientRect().top))`,
    )
    expect(new Set(tops).size).toBe(lines)
  })

  it('says why nothing was exported, and names each file by its day', async () => {
    const page = await house.visit({ path: '/history' })
    await page.locator('.past .row').nth(2).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Export CSV' }).click()
    await page.getByRole('alert').filter({ hasText: 'The server cannot be reached.' }).waitFor()
    await page.context().setOffline(false)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^beckon-history-\d{4}-\d\d-\d\d\.csv$/)
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })

  it('comes back to what was looked for, as far as one had gone', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        house.hub.raise({ key: randomUUID(), questions: [{ question: `Long ago ${i}?` }] }),
      ),
    )
    const page = await house.visit({ path: '/history' })
    await page.getByRole('searchbox', { name: 'Search' }).fill('long ago')
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('question')
    const rows = page.locator('.past .row')
    await page.waitForURL(`${house.url}/history?q=long+ago&kind=question`)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(59).waitFor()
    const place = () => page.evaluate<number>('document.getElementById("main").scrollTop')
    await rows.nth(57).scrollIntoViewIfNeeded()
    const before = await place()
    await rows.nth(57).click()
    await page.getByRole('link', { name: 'History' }).last().click()
    await rows.nth(59).waitFor()
    expect(await place()).toBe(before)
    expect(page.url()).toBe(`${house.url}/history?q=long+ago&kind=question`)
    // The browser's own way back, and a page that is loaded anew, lead there too.
    await rows.nth(3).click()
    await page.getByRole('textbox').first().waitFor()
    await page.goBack()
    await rows.nth(59).waitFor()
    await page.reload()
    await rows.nth(49).waitFor()
    expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('long ago')
    // And the tab leads to everything.
    await page.getByRole('navigation').getByRole('link', { name: 'History' }).click()
    await page.waitForURL(`${house.url}/history`)
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')
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

  it('lists the browsers that are signed in, and signs another one out', async () => {
    const lost = await house.visit({ path: '/settings' })
    await lost.getByRole('button', { name: 'Make a link for another device' }).click()
    const phone = await house.stranger()
    await phone.goto((await lost.locator('.secret-once code').textContent()) ?? '')
    await phone.getByRole('heading', { name: 'Inbox' }).waitFor()
    const page = await house.visit({ path: '/settings' })
    const browsers = page.locator('.part', { hasText: 'Browsers that are signed in' }).locator('.listed li')
    await browsers.filter({ hasText: 'this one' }).waitFor()
    const before = await browsers.count()
    expect(before).toBeGreaterThan(1)
    // The first is this one, the second the newest of the others.
    const other = browsers.nth(1)
    await other.getByRole('button', { name: /^Sign out…/ }).click()
    await other.getByRole('button', { name: /^Sign it out/ }).click()
    await expect.poll(() => browsers.count()).toBe(before - 1)
    await phone.getByText('You were signed out.').waitFor()
  })

  it('shows what was asked beside what was answered, and what else could have been', async () => {
    const { id } = await house.hub.raise({
      key: randomUUID(),
      questions: [
        { header: 'Region', question: 'Where should it run?', options: ['Seoul', 'Oregon'] },
        { header: 'Name', question: 'What is it called?' },
      ],
    })
    await house.hub.answer(id, {
      answers: [
        { id: 'q1', value: 'Seoul' },
        { id: 'q2', value: 'beacon' },
      ],
      by: 'jun',
    })
    const page = await house.visit({ path: `/requests/${id}` })
    const answers = page.locator('.answers')
    await answers.getByText('Where should it run?').waitFor()
    await answers.getByText('Not chosen: Oregon').waitFor()
    await answers.getByText('What is it called?').waitFor()
    expect(await page.locator('.who').textContent()).toMatch(/^jun, .* · .*\d{4}.* · after/)
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
    await first.getByLabel('Or paste a link or a token here').fill(link)
    await first.getByRole('button', { name: 'Sign in' }).click()
    await first.getByRole('heading', { name: 'History' }).waitFor()
    expect(first.url()).toBe(`${house.url}/history`)
    const second = await house.stranger()
    await second.goto(link)
    await second.getByText('This link was used before, or is too old.').waitFor()
    expect(second.url()).not.toContain('signin')
    await first.getByRole('link', { name: 'Settings' }).click()
    await first.getByRole('button', { name: 'Sign out', exact: true }).click()
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
    await first.reload()
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
  })
})
