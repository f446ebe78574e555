import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { database, destroyAll, forcePush } from './samples.ts'

// Shows: Inbox: what waits for me, newest and most urgent first, grouped by run, live, with an empty state that tells a newcomer
// what to type. Request: drafts saved on the server, "answered by …" when somebody was first.
describe('an inbox that is live', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.leave())
  afterAll(() => site?.close())

  function ask(question: string, options = ['yes', 'no']) {
    return site.hub.raise({ key: randomUUID(), questions: [{ question, options }] })
  }

  it('tells a newcomer what to type, and shows what is asked as it comes', async () => {
    const page = await site.visit()
    await page.getByText('npx beckon ask "Ship it?" --option yes --option no').waitFor()
    expect(await page.title()).toBe('Inbox · Beckon')
    await ask('Ship it?')
    await page.getByRole('link', { name: /Ship it\?/ }).waitFor()
    expect(await page.title()).toBe('(1) Inbox · Beckon')
    expect(await page.locator('#favicon').getAttribute('href')).toBe('/assets/icon-waiting.svg')
    await page.locator('.visually-hidden[aria-live]', { hasText: 'New request from claude-code: Ship it?' }).waitFor({
      state: 'attached',
    })
  })

  it('has what is dangerous first, then the newest, and what belongs to one run together', async () => {
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
    expect(await page.locator('.group h2').allTextContents()).toEqual(['Urgent 2', 'nightly 2', 'claude-code'])
    // Where the group does not say who asks, the row does.
    expect(await page.locator('.row-about').first().textContent()).toMatch(/Critical approval.*deploy-bot/)
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('moves nothing under the pointer: what is new is counted, what was settled stays until one has left', async () => {
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

  it('lists many in pages, and counts what is new', async () => {
    await Promise.all([...Array(230).keys()].map(i => ask(`Number ${i}?`)))
    const page = await site.visit()
    await page.getByText('230 waiting').waitFor()
    await expect.poll(() => page.locator('.row').count()).toBe(200)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => page.locator('.row').count()).toBe(230)
    await ask('One more?')
    await page.getByRole('button', { name: '1 new request' }).click()
    await page.locator('.row', { hasText: 'One more?' }).waitFor()
  })

  it('says who was first when two browsers race, and gives the words back that came too late', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...database })
    const [one, two] = await Promise.all(['/', '/'].map(() => site.visit({ path: `/requests/${id}` })))
    if (!one || !two) throw new Error('no pages')
    await one.getByRole('radio', { name: /SQLite/ }).check()
    await two.getByRole('radio', { name: 'Other…' }).check()
    await two.getByRole('textbox', { name: 'Your answer' }).fill('CockroachDB')
    // Its call is held back, so that it comes second for certain.
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
    await two.getByText('You settled it elsewhere. What you sent was not taken.').waitFor()
    await two.getByText('CockroachDB').waitFor()
    expect((await site.hub.get(id)).outcome?.answers).toMatchObject([{ selected: ['SQLite'], text: null }])
  })

  it('closes the form by itself when somebody answers in a terminal', async () => {
    const { id } = await ask('Which way?', ['left', 'right'])
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('radio', { name: 'left' }).check()
    await site.hub.answer(id, { value: 'right', by: 'jun', channel: 'terminal' })
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    expect(await page.locator('.decided-by').textContent()).toContain('jun, in a terminal')
    await expect.poll(() => page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  })

  it('takes the rest of one’s typing for nothing when the form goes away under it', async () => {
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

  it('keeps a draft as one types, and goes on with it in a second browser', async () => {
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
    // The laptop has it when one comes back to it.
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

  it('saves what was typed when the page is closed at once', async () => {
    const { id } = await site.hub.raise({ key: randomUUID(), questions: [{ question: 'Why?' }] })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('textbox', { name: 'Why?' }).fill('because')
    await page.goto(`${site.url}/history`)
    const look = async () => (await site.hub.drafts.get(id))?.answers[0]?.text
    await expect.poll(look, { timeout: 10_000 }).toBe('because')
  })

  it('leads to the next one that waits, and back to the list', async () => {
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

  it('notices that the server is gone, and catches up when it is back', async () => {
    const page = await site.visit()
    await page.getByText('No requests waiting').first().waitFor()
    // It hears of what is asked, so its stream is open.
    const { id } = await ask('Asked before?')
    await page.getByRole('link', { name: /Asked before\?/ }).waitFor()
    await site.hub.cancel(id)
    await page.getByText('No requests waiting').first().waitFor()
    await site.stopServer()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    await ask('Asked meanwhile?')
    await site.startAgain()
    await page.getByRole('link', { name: /Asked meanwhile\?/ }).waitFor()
    await page.getByText('Connection lost. Reconnecting…').waitFor({ state: 'detached' })
  })
})
