import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, pressKey, requireChrome, type Site, sendAtOnce, walk } from './fixture.ts'
import { database, destroyAll, forcePush } from './samples.ts'

// Shows: Inbox: what waits for me, most urgent and newest first, live, with an empty state that tells a newcomer what to type. Request: drafts saved on the server, "answered by …" when somebody was first.
describe('the inbox', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  function ask(question: string, options = ['yes', 'no']) {
    return site.hub.raise({ key: randomUUID(), questions: [{ question, options }] })
  }

  function titles(page: Page) {
    return page.locator('.inbox .row-title').allTextContents()
  }

  /** The quiet line of a row. */
  function parts(page: Page, row: number) {
    return page.locator('.inbox .row-about').nth(row).locator('> *').allTextContents()
  }

  it('tells a newcomer what to type, and opens a new request as soon as it is asked', async () => {
    const page = await site.visit()
    await page.getByText('npx beckon ask "Ship it?" --option yes --option no').waitFor()
    await expect.poll(() => page.title()).toBe('Inbox · Beckon')
    await ask('Ship it?')
    await page.locator('.inbox .row', { hasText: 'Ship it?' }).waitFor()
    await page.getByRole('heading', { name: 'Ship it?' }).waitFor()
    await expect.poll(() => page.title()).toBe('(1) Ship it? · Beckon')
    await page.locator('#favicon[href="/assets/icon-waiting.svg"]').waitFor({ state: 'attached' })
    await page.locator('.visually-hidden[aria-live]', { hasText: 'New request from claude-code: Ship it?' }).waitFor({
      state: 'attached',
    })
  })

  it('lists dangerous requests first, then the newest, and says of each who asks, where, and of which kind', async () => {
    const run = await site.hub.runs.start({ name: 'nightly', command: ['x'], cwd: '/srv' })
    await site.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'First of the run?' }] })
    await ask('Another one?')
    await site.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'Second of the run?' }] })
    await site.hub.raise({ key: randomUUID(), ...forcePush })
    await site.hub.raise({ key: randomUUID(), ...destroyAll })
    const page = await site.visit()
    await page.locator('.row').nth(4).waitFor()
    expect(await titles(page)).toEqual([
      'terraform destroy -auto-approve',
      'git fetch origin && git push --force origin main',
      'Second of the run?',
      'Another one?',
      'First of the run?',
    ])
    expect(await parts(page, 0)).toEqual(['deploy-bot', 'infra', 'Critical approval'])
    expect(await parts(page, 2)).toEqual(['nightly', 'shop', 'Question'])
    expect(await page.locator('.row').first().getAttribute('data-danger')).toBe('2')
    // The first one is open by itself, and the rail counts.
    await page.getByRole('heading', { name: 'Critical approval' }).waitFor()
    const rail = page.getByRole('navigation', { name: 'Pages' })
    await rail.getByRole('link', { name: 'Inbox 5' }).waitFor()
    await rail.getByRole('link', { name: /^nightly/ }).waitFor()
    await rail.getByRole('link', { name: 'infra 1' }).click()
    await expect.poll(() => titles(page)).toEqual(['terraform destroy -auto-approve'])
    await rail.getByRole('link', { name: 'Urgent 2' }).click()
    await expect.poll(() => titles(page)).toHaveLength(2)
    expect(new URL(page.url()).search).toBe('?view=urgent')
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('shows at least sixteen requests on a laptop, and fits three panes from 1,100 pixels on', async () => {
    for (const i of Array(20).keys()) await ask(`Which of the ${'abcdefghijklmnopqrst'[i]}s?`, [`a${i}`, `b${i}`])
    const page = await site.visit()
    await page.locator('.row').nth(16).waitFor()
    const visible = await page.evaluate(`[...document.querySelectorAll('.inbox .row')].filter(row =>
      row.getBoundingClientRect().bottom <= innerHeight).length`)
    expect(visible).toBeGreaterThanOrEqual(16)
    const panes = async () =>
      (await Promise.all(['.rail', '.inbox', '.request'].map(pane => page.locator(pane).boundingBox()))).map(
        box => box && Math.round(box.width),
      )
    await page.locator('.request h1').waitFor()
    expect(await panes()).toEqual([208, 372, 700])
    await page.setViewportSize({ width: 900, height: 700 })
    expect((await panes())[0]).toBeLessThan(60)
    await page.setViewportSize({ width: 600, height: 700 })
    await expect.poll(() => page.locator('.inbox').isVisible()).toBe(false)
  })

  it('tells the sessions of one agent apart, has no two groups of one name, and shows a hostile session harmlessly', async () => {
    const agent = { name: 'claude-code', cwd: '/srv/shop' }
    const raise = (session: string, question: string) =>
      site.hub.raise({ key: randomUUID(), agent, session, questions: [{ question }] })
    await raise('3f2a9c10-aaaa', 'First of one?')
    await raise('3f2b0000-bbbb', 'Of the other?')
    await raise('\u202e\u200b<b>x', 'Of a hostile one?')
    const second = await raise('3f2a9c10-aaaa', 'Second of one?')
    const page = await site.visit({ path: `/requests/${second.id}` })
    await page.locator('.row').nth(3).waitFor()
    const sessions = await Promise.all([0, 1, 2, 3].map(async i => (await parts(page, i))[2]))
    expect(sessions).toEqual(['session 3f2a', 'session \\u202e\\u200b<b>x', 'session 3f2b', 'session 3f2a'])
    // There were headings of groups, two of them alike where a request was urgent.
    expect(await page.locator('.inbox').getByRole('heading').allTextContents()).toEqual(['Inbox'])
    const korean = await site.visit({ language: 'ko-KR' })
    await korean.locator('.row-about', { hasText: '세션 3f2a' }).first().waitFor()
  })

  it('moves no row under the pointer: it counts new requests, and keeps settled ones until the pointer leaves', async () => {
    const first = await ask('First?')
    await ask('Second?')
    const page = await site.visit()
    await page.locator('.row', { hasText: 'First?' }).hover()
    const before = await page.locator('.row', { hasText: 'First?' }).boundingBox()
    await ask('Third?')
    await page.getByRole('button', { name: '1 new request' }).waitFor()
    await site.hub.answer(first.id, { value: 'yes' })
    await page.locator('.row.settled', { hasText: 'First?' }).waitFor()
    expect(await page.locator('.row-title').allTextContents()).toEqual(['Second?', 'First?'])
    const button = await page.getByRole('button', { name: '1 new request' }).boundingBox()
    const after = await page.locator('.row', { hasText: 'First?' }).boundingBox()
    expect(after?.y).toBe(before?.y)
    expect(button).not.toBeNull()
    await page.mouse.move(900, 500)
    await page.locator('.row-title', { hasText: 'Third?' }).waitFor()
    expect(await page.locator('.row-title').allTextContents()).toEqual(['Third?', 'Second?'])
  })

  it('says who was first when two browsers race, and gives the losing answer back', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database })
    const [one, two] = await Promise.all(['/', '/'].map(() => site.visit({ path: `/requests/${id}` })))
    if (!one || !two) throw new Error('no pages')
    await two.getByRole('button', { name: 'Other…' }).click()
    await two.getByRole('textbox', { name: 'Your answer' }).fill('CockroachDB')
    // Hold its call back, so that it certainly comes second.
    let letGo = () => {}
    const held = new Promise<void>(resolve => {
      letGo = resolve
    })
    await two.route('**/answer', async route => {
      await held
      await route.continue()
    })
    await two.getByRole('button', { name: 'Send' }).click()
    await sendAtOnce(two)
    await one.getByRole('button', { name: /^SQLite/ }).click()
    await sendAtOnce(one)
    await expect.poll(async () => (await site.hub.get(id)).status).toBe('answered')
    letGo()
    await walk(two, `/requests/${id}`)
    // Both are mina's.
    await two.getByText('You already answered this elsewhere. Your answer was not used.').waitFor()
    await two.getByText('CockroachDB').waitFor()
    expect((await site.hub.get(id)).outcome?.answers).toMatchObject([{ selected: ['SQLite'], text: null }])
  })

  it('closes the form when someone answers in a terminal', async () => {
    const { id } = await ask('Which way?', ['left', 'right'])
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('button', { name: 'left' }).waitFor()
    await site.hub.answer(id, { value: 'right', by: 'jun', channel: 'terminal' })
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    expect(await page.locator('.decided-by').textContent()).toContain('jun, in a terminal')
    await expect.poll(() => page.getByRole('button', { name: 'left' }).count()).toBe(0)
  })

  it('ignores further typing when the form disappears under it', async () => {
    const other = await ask('Delete everything?')
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('textbox', { name: 'Why?' }).focus()
    const settling = page.keyboard.type('because ').then(() => site.hub.answer(id, { value: 'so', by: 'jun' }))
    const answered = page.getByRole('heading', { name: 'Answered' })
    while (!(await answered.isVisible())) await page.keyboard.type('n1')
    await page.keyboard.type('n1n1')
    await page.keyboard.press('Enter')
    await settling
    expect(page.url()).toBe(`${site.url}/requests/${id}`)
    expect((await site.hub.get(other.id)).status).toBe('pending')
  })

  it('saves a draft while a person types, and continues it in a second browser', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database })
    const laptop = await site.visit({ path: `/requests/${id}` })
    await laptop.getByRole('button', { name: 'Other…' }).click()
    await laptop.getByRole('textbox', { name: 'Your answer' }).fill('half a tho')
    await laptop.getByText('Draft saved').waitFor()
    expect((await site.hub.drafts.get(id))?.answers).toMatchObject([{ text: 'half a tho' }])
    const phone = await site.visit({ path: `/requests/${id}`, size: 'phone' })
    const field = phone.getByRole('textbox', { name: 'Your answer' })
    expect(await field.inputValue()).toBe('half a tho')
    await field.fill('half a thought, finished')
    await phone.getByText('Draft saved').waitFor()
    // The laptop loads it when the person comes back.
    await laptop.evaluate('window.dispatchEvent(new Event("focus"))')
    await expect
      .poll(() => laptop.evaluate('document.querySelector("textarea").value'))
      .toBe('half a thought, finished')
    await phone.getByRole('button', { name: 'Send' }).click()
    await sendAtOnce(phone)
    expect((await site.hub.wait(id, { for: 10_000 })).outcome?.answers).toMatchObject([
      { text: 'half a thought, finished' },
    ])
    await laptop.getByRole('heading', { name: 'Answered' }).waitFor()
  })

  it('saves the draft when the person leaves the page at once, also past a service worker', async () => {
    const page = await site.visit()
    await page.evaluate('navigator.serviceWorker.ready.then(() => null)')
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
      await page.goto(`${site.url}/requests/${id}`)
      await page.getByRole('textbox', { name: 'Why?' }).fill(text)
      await page.goto(`${site.url}/history`)
      const look = async () => (await site.hub.drafts.get(id))?.answers[0]?.text
      await expect.poll(look, { timeout: 10_000 }).toBe(text)
    }
  })

  it('opens the next one after a decision, and the inbox after the last', async () => {
    await ask('First?')
    await ask('Second?')
    await ask('Third?')
    const page = await site.visit()
    await page.getByRole('heading', { name: 'Third?' }).waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Second?' }).waitFor()
    for (const next of ['First?', 'Third?']) {
      await pressKey(page, '1')
      await page.getByRole('heading', { name: next, exact: true }).waitFor()
    }
    await pressKey(page, '2')
    await page.waitForURL(`${site.url}/`)
    await sendAtOnce(page)
    await page.getByText('Nothing waits').first().waitFor()
    expect((await site.hub.list({ status: 'all', limit: 3, order: 'desc' })).requests.map(one => one.status)).toEqual(
      Array(3).fill('answered'),
    )
  })

  it('notices that the server is gone, and catches up when it returns', async () => {
    const page = await site.visit()
    await page.getByText('Nothing waits').first().waitFor()
    // It shows a new request, so its event stream is open.
    const { id } = await ask('Asked before?')
    await page.locator('.inbox .row', { hasText: 'Asked before?' }).waitFor()
    await site.hub.cancel(id)
    await page.getByText('Nothing waits').first().waitFor()
    await site.stopServer()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    await ask('Asked meanwhile?')
    await site.startServerAgain()
    await page.locator('.inbox .row', { hasText: 'Asked meanwhile?' }).waitFor()
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' })
  })
})
