import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { database, destroyAll, forcePush } from './samples.ts'

// Shows: Inbox: what waits for me, newest and most urgent first, grouped by run, live, with an empty state that tells a newcomer
// what to type. Request: drafts saved on the server, "answered by …" when somebody was first.
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

  it('tells a newcomer what to type, and shows a new request as soon as it is asked', async () => {
    const page = await site.visit()
    await page.getByText('npx beckon ask "Ship it?" --option yes --option no').waitFor()
    await expect.poll(() => page.title()).toBe('Inbox · Beckon')
    await ask('Ship it?')
    await page.getByRole('link', { name: /Ship it\?/ }).waitFor()
    await expect.poll(() => page.title()).toBe('(1) Inbox · Beckon')
    await page.locator('#favicon[href="/assets/icon-waiting.svg"]').waitFor({ state: 'attached' })
    await page.locator('.visually-hidden[aria-live]', { hasText: 'New request from claude-code: Ship it?' }).waitFor({
      state: 'attached',
    })
  })

  it('lists dangerous requests first, then the newest, and keeps the requests of a run together', async () => {
    const run = await site.hub.runs.start({ name: 'nightly', command: ['x'], cwd: '/srv' })
    await site.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'First of the run?' }] })
    await ask('Another one?')
    await site.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'Second of the run?' }] })
    await site.hub.raise({ key: randomUUID(), ...forcePush })
    await site.hub.raise({ key: randomUUID(), ...destroyAll })
    const page = await site.visit()
    await page.locator('.row').nth(4).waitFor()
    expect(await page.locator('.row-title').allTextContents()).toEqual([
      'terraform destroy -auto-approve',
      'git fetch origin && git push --force origin main',
      'Second of the run?',
      'First of the run?',
      'Another one?',
    ])
    expect(await page.locator('.group h2').allTextContents()).toEqual(['Urgent 2', 'nightly 2', 'claude-code · shop'])
    // In the urgent group, each row names its asker.
    expect(await page.locator('.row-about').first().textContent()).toMatch(/Critical approval.*deploy-bot/)
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('tells the sessions of one agent apart, and shows a hostile session harmlessly', async () => {
    const agent = { name: 'claude-code', cwd: '/srv/shop' }
    const raise = (session: string, question: string) =>
      site.hub.raise({ key: randomUUID(), agent, session, questions: [{ question }] })
    await raise('3f2a9c10-aaaa', 'First of one?')
    await raise('3f2b0000-bbbb', 'Of the other?')
    await raise('\u202e\u200b<b>x', 'Of a hostile one?')
    const second = await raise('3f2a9c10-aaaa', 'Second of one?')
    const page = await site.visit({ path: `/requests/${second.id}` })
    await page.locator('.row').nth(3).waitFor()
    expect(await page.locator('.group h2').allTextContents()).toEqual([
      'claude-code · shop · session 3f2a 2',
      'claude-code · shop · session \\u202e\\u200b<b>x',
      'claude-code · shop · session 3f2b',
    ])
    expect(await page.locator('.request-about').textContent()).toContain('session 3f2a')
    await page.locator('.request-about [title="3f2a9c10-aaaa"]').waitFor()
    const korean = await site.visit({ language: 'ko-KR' })
    await korean.locator('.group h2', { hasText: 'claude-code · shop · 세션 3f2a' }).waitFor()
  })

  it('says which session wants the same dangerous command as another in its directory', async () => {
    const agent = { name: 'claude-code', cwd: '/srv/결제' }
    for (const session of ['3f2a9c10-aaaa', '3f2b0000-bbbb'])
      await site.hub.raise({ key: randomUUID(), ...forcePush, agent, session })
    const page = await site.visit()
    await page.locator('.row', { hasText: 'session 3f2b' }).waitFor()
    const askers = (await page.locator('.row-about').allTextContents()).map(text => /claude-code.*/.exec(text)?.[0])
    expect(askers).toEqual(['claude-code결제session 3f2b', 'claude-code결제session 3f2a'])
  })

  it('moves no row under the pointer: it counts new requests, and keeps settled ones until the pointer leaves', async () => {
    const first = await ask('First?')
    await ask('Second?')
    const page = await site.visit()
    await page.getByRole('link', { name: /First\?/ }).hover()
    const before = await page.getByRole('link', { name: /First\?/ }).boundingBox()
    await ask('Third?')
    await page.getByRole('button', { name: '1 new request' }).waitFor()
    await site.hub.answer(first.id, { value: 'yes' })
    await page.locator('.row.settled', { hasText: 'First?' }).waitFor()
    expect(await page.locator('.row-title').allTextContents()).toEqual(['Second?', 'First?'])
    const button = await page.getByRole('button', { name: '1 new request' }).boundingBox()
    const after = await page.getByRole('link', { name: /First\?/ }).boundingBox()
    expect(after?.y).toBe(before?.y)
    expect(button).not.toBeNull()
    await page.mouse.move(900, 500)
    await page.locator('.row-title', { hasText: 'Third?' }).waitFor()
    expect(await page.locator('.row-title').allTextContents()).toEqual(['Third?', 'Second?'])
  })

  it('lists 200 requests at a time, and counts new ones', async () => {
    await Promise.all([...Array(230).keys()].map(i => ask(`Number ${i}?`)))
    const page = await site.visit()
    await page.getByText('230 waiting').waitFor()
    await page.locator('.row').nth(199).waitFor()
    expect(await page.locator('.row').count()).toBe(200)
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.locator('.row').nth(229).waitFor()
    expect(await page.locator('.row').count()).toBe(230)
    await ask('One more?')
    await page.getByRole('button', { name: '1 new request' }).click()
    await page.locator('.row', { hasText: 'One more?' }).waitFor()
  })

  it('says who was first when two browsers race, and gives the losing answer back', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database })
    const [one, two] = await Promise.all(['/', '/'].map(() => site.visit({ path: `/requests/${id}` })))
    if (!one || !two) throw new Error('no pages')
    await one.getByRole('radio', { name: /SQLite/ }).check()
    await two.getByRole('radio', { name: 'Other…' }).check()
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
    await one.getByRole('button', { name: 'Send' }).click()
    await one.getByRole('heading', { name: 'Answered' }).waitFor()
    letGo()
    // Both are mina's.
    await two.getByText('You already answered this elsewhere. Your answer was not used.').waitFor()
    await two.getByText('CockroachDB').waitFor()
    expect((await site.hub.get(id)).outcome?.answers).toMatchObject([{ selected: ['SQLite'], text: null }])
  })

  it('closes the form when someone answers in a terminal', async () => {
    const { id } = await ask('Which way?', ['left', 'right'])
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('radio', { name: 'left' }).check()
    await site.hub.answer(id, { value: 'right', by: 'jun', channel: 'terminal' })
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    expect(await page.locator('.decided-by').textContent()).toContain('jun, in a terminal')
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0)
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
    await laptop.getByRole('radio', { name: 'Other…' }).check()
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
    expect((await site.hub.wait(id, { for: 10_000 })).outcome?.answers).toMatchObject([
      { text: 'half a thought, finished' },
    ])
    await laptop.getByRole('heading', { name: 'Answered' }).waitFor()
  })

  it('saves the draft when the person leaves the page at once', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('textbox', { name: 'Why?' }).fill('because')
    await page.goto(`${site.url}/history`)
    const look = async () => (await site.hub.drafts.get(id))?.answers[0]?.text
    await expect.poll(look, { timeout: 10_000 }).toBe('because')
  })

  it('links to the next waiting request, and back', async () => {
    const first = await ask('First?')
    await ask('Second?')
    const page = await site.visit({ path: `/requests/${first.id}` })
    await page.getByRole('radio', { name: 'yes' }).check()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('link', { name: /^Next: Question · claude-code Second\?/ }).click()
    await page.getByText('Second?', { exact: true }).last().waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
  })

  it('notices that the server is gone, and catches up when it returns', async () => {
    const page = await site.visit()
    await page.getByText('No requests waiting').first().waitFor()
    // It shows a new request, so its event stream is open.
    const { id } = await ask('Asked before?')
    await page.getByRole('link', { name: /Asked before\?/ }).waitFor()
    await site.hub.cancel(id)
    await page.getByText('No requests waiting').first().waitFor()
    await site.stopServer()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    await ask('Asked meanwhile?')
    await site.startServerAgain()
    await page.getByRole('link', { name: /Asked meanwhile\?/ }).waitFor()
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' })
  })
})
