import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { encode } from 'uqr'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { forcePush } from './samples.ts'

// Shows: History: everything ever asked with outcome, who, where, how long it took; search, filter, export. Settings: tokens,
// browsers, theme. Signing in and out.
describe('history and settings in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
    const { hub } = site
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
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('lists every request with its outcome, who settled it, where, and how long it took', async () => {
    const page = await site.visit({ path: '/history' })
    const row = page.locator('.history-list .row', { hasText: 'Ship version 2.4?' })
    await row.waitFor()
    expect(await row.textContent()).toMatch(/yes.*Answered.*jun, in a terminal.*after \d+s.*claude-code/)
    await expect.poll(() => page.locator('.history-list .row').count()).toBe(3)
    await row.click()
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
  })

  it('searches and filters the history', async () => {
    const page = await site.visit({ path: '/history' })
    const titles = page.locator('.history-list .row-title')
    await titles.nth(2).waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('colour')
    await expect.poll(() => titles.allTextContents()).toEqual(['Which colour?'])
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByRole('combobox', { name: 'Outcome' }).selectOption('declined')
    await expect.poll(() => titles.allTextContents()).toEqual(['git fetch origin && git push --force origin main'])
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('review')
    await page.getByText('No results').waitFor()
  })

  it('exports the history as JSON, and as CSV without formulas', async () => {
    const page = await site.visit({ path: '/history' })
    await page.locator('.history-list .row').nth(2).waitFor()
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
  ] as const)('fits the filters of the history on few lines: %s, %i', async (size, lines) => {
    const page = await site.visit({ path: '/history', size })
    await page.locator('.filters').waitFor()
    const tops = await page.evaluate<number[]>(
      `[...document.querySelectorAll('.filters > *')].map(one => Math.round(one.getBoundingClientRect().top))`,
    )
    expect(new Set(tops).size).toBe(lines)
  })

  it('says why an export failed, and puts the date in the name of the file', async () => {
    const page = await site.visit({ path: '/history' })
    await page.locator('.history-list .row').nth(2).waitFor()
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

  it('returns to the same search and scroll position', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        site.hub.raise({ key: randomUUID(), questions: [{ question: `Long ago ${i}?` }] }),
      ),
    )
    const page = await site.visit({ path: '/history' })
    await page.getByRole('searchbox', { name: 'Search' }).fill('long ago')
    await page.getByRole('combobox', { name: 'Kind' }).selectOption('question')
    const rows = page.locator('.history-list .row')
    await page.waitForURL(`${site.url}/history?q=long+ago&kind=question`)
    await page.getByRole('button', { name: 'Show more' }).click()
    await rows.nth(59).waitFor()
    const place = () => page.evaluate<number>('document.getElementById("main").scrollTop')
    await rows.nth(57).scrollIntoViewIfNeeded()
    const before = await place()
    await rows.nth(57).click()
    await page.getByRole('link', { name: 'History' }).last().click()
    await rows.nth(59).waitFor()
    expect(await place()).toBe(before)
    expect(page.url()).toBe(`${site.url}/history?q=long+ago&kind=question`)
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
    await page.waitForURL(`${site.url}/history`)
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('')
  })

  it('creates a token whose secret is shown once, and revokes it', async () => {
    const page = await site.visit({ path: '/settings' })
    await page.getByLabel('Name').fill('build agents')
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = (await page.locator('.one-time-secret code').textContent()) ?? ''
    const ask = () =>
      fetch(`${site.url}/api/requests`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ questions: [{ question: `By token, ${randomUUID()}?` }] }),
      }).then(({ status }) => status)
    expect(await ask()).toBe(201)
    await page.reload()
    await page.getByText('build agents').first().waitFor()
    expect(await page.content()).not.toContain(secret)
    await page.getByRole('button', { name: 'Revoke… build agents' }).click()
    await page.getByRole('button', { name: 'Revoke token build agents' }).click()
    await page.getByRole('button', { name: /build agents/ }).waitFor({ state: 'detached' })
    expect(await ask()).toBe(401)
  })

  it('shows a code for a phone only where a phone can reach the server', async () => {
    const page = await site.visit({ path: '/settings' })
    const phone = page.getByRole('region', { name: 'Phone' })
    await phone.getByRole('button', { name: 'Show QR code' }).click()
    await phone.getByText('A phone cannot reach this address. Start the server with --public-url').waitFor()
    expect(await phone.getByRole('img').count()).toBe(0)
    // As a server with a public address answers.
    const url = 'https://beckon.example/#signin=beckon_link_abc'
    await page.route('**/api/session/phone-links', route =>
      route.fulfill({ status: 201, json: { url, expiresAt: new Date(Date.now() + 300_000).toISOString() } }),
    )
    await phone.getByRole('button', { name: 'Show QR code' }).click()
    const path = (await phone.getByRole('img', { name: 'QR code' }).locator('path').getAttribute('d')) ?? ''
    const { data } = encode(url, { border: 3 })
    expect([...path.matchAll(/M(\d+) (\d+)h1/g)].map(([, x, y]) => `${x} ${y}`)).toEqual(
      data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`${x} ${y}`] : []))),
    )
  })

  it('signs in another device by a link from the settings', async () => {
    const page = await site.visit({ path: '/settings' })
    await page.getByRole('button', { name: 'Create link' }).click()
    const link = (await page.locator('.one-time-secret code').textContent()) ?? ''
    const phone = await site.stranger()
    await phone.goto(link)
    await phone.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  it('lists the signed-in browsers, and signs another one out', async () => {
    const lost = await site.visit({ path: '/settings' })
    await lost.getByRole('button', { name: 'Create link' }).click()
    const phone = await site.stranger()
    await phone.goto((await lost.locator('.one-time-secret code').textContent()) ?? '')
    await phone.getByRole('heading', { name: 'Inbox' }).waitFor()
    const page = await site.visit({ path: '/settings' })
    const browsers = page.locator('.settings-section', { hasText: 'Signed in as' }).locator('.item-list li')
    await browsers.filter({ hasText: 'this browser' }).waitFor()
    const before = await browsers.count()
    expect(before).toBeGreaterThan(1)
    // The first is this one, the second the newest of the others.
    const other = browsers.nth(1)
    await other.getByRole('button', { name: /^Sign out…/ }).click()
    await other.getByRole('button', { name: /^Sign out browser/ }).click()
    await expect.poll(() => browsers.count()).toBe(before - 1)
    await phone.getByText('You have been signed out.').waitFor()
  })

  it('shows each question with its answer and the options that were not chosen', async () => {
    const { id } = await site.hub.raise({
      key: randomUUID(),
      questions: [
        { header: 'Region', question: 'Where should it run?', options: ['Seoul', 'Oregon'] },
        { header: 'Name', question: 'What is it called?' },
      ],
    })
    await site.hub.answer(id, {
      answers: [
        { id: 'q1', value: 'Seoul' },
        { id: 'q2', value: 'beacon' },
      ],
      by: 'jun',
    })
    const page = await site.visit({ path: `/requests/${id}` })
    const answers = page.locator('.answers')
    await answers.getByText('Where should it run?').waitFor()
    await answers.getByText('Not chosen: Oregon').waitFor()
    await answers.getByText('What is it called?').waitFor()
    expect(await page.locator('.decided-by').textContent()).toMatch(/^jun, .* · .*\d{4}.* · after/)
  })

  it.each(['laptop', 'phone'] as const)(
    'scrolls the settings in their pane and never to a blank page: %s',
    async size => {
      for (let i = 0; i < 12; i++) await site.hub.tokens.create({ name: `${size} agent ${i}`, scope: 'ask' })
      const page = await site.visit({ path: '/settings', size })
      await page.getByRole('button', { name: `Revoke… ${size} agent 11` }).waitFor()
      const beyond = await page.evaluate('document.scrollingElement.scrollHeight - innerHeight')
      expect(beyond).toBe(0)
      await page.mouse.move(180, 300)
      await page.mouse.wheel(0, 100_000)
      await expect.poll(() => page.getByText('Signed in as mina').isVisible()).toBe(true)
      expect(await page.evaluate('scrollY')).toBe(0)
    },
  )

  it('shows Markdown as the text it means, in titles and answers', async () => {
    const question = '**Which** of `a.ts` and [b](https://x.example) is _right_? ~~old~~'
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question }] })
    await site.hub.answer(id, { value: '## `a.ts`, **surely**\n- not snake_case_name or 2 * 3 * 4' })
    const page = await site.visit({ path: '/history' })
    const row = page.locator('.history-list .row').first()
    await expect.poll(() => row.locator('.row-title').textContent()).toBe('Which of a.ts and b is right? old')
    expect(await row.locator('.history-value').textContent()).toBe('a.ts, surely not snake_case_name or 2 * 3 * 4')
  })

  it('remembers the chosen theme', async () => {
    const page = await site.visit({ path: '/settings', colours: 'light' })
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    expect(await ground()).toBe('rgb(246, 245, 241)')
    await page.getByRole('radio', { name: 'Dark' }).check()
    expect(await ground()).toBe('rgb(19, 20, 22)')
    await page.reload()
    await page.getByRole('radio', { name: 'Dark' }).waitFor()
    expect(await ground()).toBe('rgb(19, 20, 22)')
  })

  it('signs in by a link that works once and leaves no secret in the address, and signs out', async () => {
    const link = await site.newLink()
    const first = await site.stranger()
    await first.goto(`${site.url}/history`)
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
    expect(await first.content()).not.toContain('Ship version')
    await first.getByLabel('Or paste a link or token').fill(link)
    await first.getByRole('button', { name: 'Sign in' }).click()
    await first.getByRole('heading', { name: 'History' }).waitFor()
    expect(first.url()).toBe(`${site.url}/history`)
    const second = await site.stranger()
    await second.goto(link)
    await second.getByText('This link has expired or was already used.').waitFor()
    expect(second.url()).not.toContain('signin')
    await first.getByRole('link', { name: 'Settings' }).click()
    await first.getByRole('button', { name: 'Sign out', exact: true }).click()
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
    await first.reload()
    await first.getByRole('heading', { name: 'Sign in to Beckon' }).waitFor()
  })
})
