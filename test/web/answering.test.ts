import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, pressKey, requireChrome, type Site, sendAtOnce, walk } from './fixture.ts'
import { batch, database, previews } from './samples.ts'

// Shows: Request: the options are the verbs of the bar, with keys; previews side by side, Other with a growing text field, a note
// beside any answer, a batch as steps with review; settled, and delivered when the agent took it.
describe('answering in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  const ask = (question: string, options = ['yes', 'no']) =>
    site.hub.raise({ key: randomUUID(), questions: [{ question, options, allowOther: true }] })
  const statusOf = async (id: string) => (await site.hub.get(id)).status
  const open = (input: Parameters<Site['open']>[0], size: 'laptop' | 'phone' = 'laptop') => site.open(input, size)

  it('sends a choice, and shows when it is settled and when the agent has it', async () => {
    const { page, id, outcome } = await open(database)
    await page.getByRole('button', { name: /^SQLite/ }).click()
    expect(await outcome()).toMatchObject({
      status: 'answered',
      answers: [{ selected: ['SQLite'], text: null }],
      by: 'mina',
      channel: 'web',
    })
    await walk(page, `/requests/${id}`)
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    await page.getByText('The agent has not picked it up yet').waitFor()
    await site.hub.confirmDelivery(id)
    await page.locator('.stages .done', { hasText: 'Delivered' }).waitFor()
    expect(page.notices.bad).toEqual([])
  })

  it('says who asks, from which machine, directory and branch, since when, and what happens without an answer', async () => {
    const run = await site.hub.runs.start({ name: 'nightly import', command: ['x'], cwd: '/srv' })
    const { page } = await open({
      run: run.id,
      agent: { name: 'claude-code', cwd: '/srv/shop', branch: 'import-prices' },
      required: false,
      timeout: '2h',
      questions: [{ question: 'Which port?', options: ['80', '8080'], default: '8080' }],
    })
    const strip = page.locator('.strip')
    await expect
      .poll(() => strip.textContent())
      .toMatch(/^claude-code › nightly import\w+@[\w.-]+:\/srv\/shop⎇ import-pricesasked nowoptionalin 2h: 8080$/)
    expect(await strip.locator('.deadline').getAttribute('title')).toMatch(/^Without an answer, the default is used \w/)
    await strip.getByRole('link', { name: 'nightly import' }).click()
    await page.waitForURL(`**/runs/${run.id}`)
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it('decides one request by a double click, not the one that opens under the pointer too', async () => {
    const later = await ask('Delete the branch?')
    const { page } = await open({ questions: [{ question: 'Ship it?', options: ['yes', 'no'], allowOther: true }] })
    const yes = page.getByRole('button', { name: 'yes' })
    await yes.click()
    await page.waitForURL(`**/requests/${later.id}`)
    await page.locator('button:enabled', { hasText: 'yes' }).waitFor()
    await page.mouse.down({ clickCount: 2 })
    await page.mouse.up({ clickCount: 2 })
    expect(new URL(page.url()).pathname).toBe(`/requests/${later.id}`)
    expect(await yes.getAttribute('aria-pressed')).toBe('false')
  })

  it('takes an answer in own words by key 0, with a note, and does not type the key', async () => {
    const { page, outcome } = await open(database)
    await page.getByRole('button', { name: '+ Add a note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('see the wiki')
    await page.locator('.request-head h1').click()
    await pressKey(page, '0')
    const field = page.getByRole('textbox', { name: 'Your answer' })
    expect(await field.inputValue()).toBe('')
    await page.keyboard.press('Control+Enter')
    expect(await page.getByRole('alert').textContent()).toBe('Write your answer, or choose an option.')
    // Back to the options and on from where the keyboard was.
    await page.keyboard.press('Escape')
    expect(await page.locator(':focus').innerText()).toContain('Other')
    await pressKey(page, '0')
    await field.fill('MariaDB,\nas the others have')
    await page.keyboard.press('Control+Enter')
    expect((await outcome()).answers).toEqual([
      { id: 'q1', selected: [], text: 'MariaDB,\nas the others have', note: 'see the wiki' },
    ])
  })

  it('refuses an empty text, and grows the field with its text', async () => {
    const { page, id } = await open({ questions: [{ question: 'Why?' }] })
    const field = page.getByRole('textbox', { name: 'Why?' })
    const before = await field.boundingBox()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('An answer is needed.')
    await field.fill('one\ntwo\nthree\nfour\nfive\nsix\nseven')
    const after = await field.boundingBox()
    expect(after?.height).toBeGreaterThan((before?.height ?? 0) + 40)
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('steps through a batch by keys under one title, shows all answers for review, and lets the person edit one', async () => {
    const { page, outcome } = await open(batch)
    const titles = () => page.locator('.request h1, .request h2').allTextContents()
    expect(await titles()).toEqual(['Where should it run?'])
    await pressKey(page, '1')
    await page.getByText('Question 2 of 4').waitFor()
    expect(await titles()).toEqual(['Which of these may I turn on?'])
    await page.keyboard.press('1')
    await page.getByRole('checkbox', { name: /Preview builds/ }).check()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('textbox', { name: 'What should the service be called?' }).fill('beacon')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Other…' }).click()
    await page.getByRole('textbox', { name: 'Your answer' }).fill('$40')
    await page.getByRole('button', { name: 'Next' }).click()
    expect(await titles()).toEqual(['Your answers'])
    expect(await page.locator('.review-answers .value').allTextContents()).toEqual([
      'Seoul',
      'Cache',
      'Preview builds',
      'beacon',
      '$40',
    ])
    await page.getByRole('button', { name: 'Edit Region' }).click()
    expect(await page.getByRole('button', { name: 'Seoul' }).getAttribute('aria-pressed')).toBe('true')
    await pressKey(page, '3')
    await page.getByRole('button', { name: 'Send answers' }).click()
    expect((await outcome()).answers.map(({ selected, text }) => [...selected, text].filter(Boolean))).toEqual([
      ['Oregon'],
      ['Cache', 'Preview builds'],
      ['beacon'],
      ['$40'],
    ])
  })

  it('shows the preview of the focused option: code as code, a drawing as it was drawn', async () => {
    const { page, outcome } = await open(previews)
    await page.getByRole('radio', { name: /Table/ }).focus()
    await page.getByText('| bolt |  0.12 |').waitFor()
    await page.keyboard.press('3')
    await page.locator('.preview code', { hasText: 'const rows = list()' }).waitFor()
    expect(await page.locator('.preview').textContent()).not.toContain('```')
    const [list, preview] = await Promise.all(
      ['.option-list', '.preview'].map(place => page.locator(place).boundingBox()),
    )
    expect(preview?.x).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? 0) - 1)
    await page.getByRole('button', { name: 'Send' }).click()
    expect((await outcome()).answers).toMatchObject([{ selected: ['Code'] }])
  })

  it('says which option is the default, chooses nothing by itself, and skips what is optional', async () => {
    const port = { question: 'Which port?', options: ['80', '8080'], default: '8080' }
    const bar = await open({ required: false, questions: [port] })
    const option = bar.page.getByRole('button', { name: /^8080/ })
    expect(await option.textContent()).toContain('default')
    expect(await option.getAttribute('aria-pressed')).toBe('false')
    await pressKey(bar.page, 's')
    expect(await bar.outcome()).toMatchObject({ status: 'skipped', channel: 'web' })
    // In a form with a button of its own, an empty one is refused: nothing was chosen.
    const { page, id, outcome } = await open({
      required: false,
      questions: [{ ...port, multiSelect: true, default: ['8080'] }],
    })
    await page.getByRole('checkbox', { name: /8080/ }).waitFor()
    expect(await page.getByRole('checkbox', { name: /8080/ }).isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').filter({ hasText: 'Nothing is filled in. To pass over this' }).waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
    await page.getByRole('button', { name: 'Use the default' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await outcome()).toMatchObject({ status: 'answered', answers: [{ selected: ['8080'] }] })
  })

  it('declines a request with a reason', async () => {
    const { page, outcome } = await open(database)
    await pressKey(page, 'd')
    const reason = page.getByRole('textbox', { name: 'Reason (sent to the agent)' })
    expect(await reason.inputValue()).toBe('')
    await reason.fill('not this week')
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    expect(await outcome()).toMatchObject({ status: 'declined', reason: 'not this week' })
  })

  it('undoes a decision on a phone, where everything that is said fits', async () => {
    const question = 'Which of the two databases should the nightly import of the prices use?'
    await site.hub.raise({ key: randomUUID(), questions: [{ question: 'And the next?', options: ['a', 'b'] }] })
    const { page, id } = await open({ questions: [{ question, options: ['PostgreSQL', 'SQLite'] }] }, 'phone')
    await page.getByRole('button', { name: 'SQLite' }).tap()
    await page.getByRole('heading', { name: 'And the next?' }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).tap()
    await page.getByRole('heading', { name: question }).waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('shows how to send a long text above the keyboard of a phone', async () => {
    const { page } = await open({ questions: [{ question: 'What should it say?' }] }, 'phone')
    await page.getByRole('textbox', { name: 'What should it say?' }).fill('one\n'.repeat(20))
    await page.setViewportSize({ width: 360, height: 340 })
    for (const name of ['Send', 'Ask back', 'Decline…']) {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox()
      expect((box?.y ?? 999) + (box?.height ?? 0), name).toBeLessThanOrEqual(340)
    }
  })

  it('keeps words whole at 360 pixels, and the options thumb-high at the bottom', async () => {
    const { page } = await open(database, 'phone')
    await page.locator('.option-verbs > button').nth(3).waitFor()
    const words = await page.evaluate<
      string[]
    >(`[...document.querySelectorAll('.request-head h1, .verb-label')].flatMap(el => {
      const text = document.createTreeWalker(el, NodeFilter.SHOW_TEXT), broken = []
      while (text.nextNode()) for (const word of text.currentNode.data.matchAll(/\\S+/g)) {
        const range = document.createRange()
        range.setStart(text.currentNode, word.index)
        range.setEnd(text.currentNode, word.index + word[0].length)
        if (new Set([...range.getClientRects()].map(rect => rect.top)).size > 1) broken.push(word[0])
      }
      return broken
    })`)
    expect(words).toEqual([])
    const heights = await page.evaluate<[number, number][]>(`[...document.querySelectorAll('.option-verbs > button')]
      .map(button => button.getBoundingClientRect()).map(({ height, width }) => [height, width])`)
    expect(heights).toHaveLength(4)
    for (const [height, width] of heights) {
      expect(height).toBeGreaterThanOrEqual(52)
      expect(width).toBeGreaterThan(320)
    }
    await sendAtOnce(page)
  })

  it('sends a decision that could still be undone before it signs out: the next person must not send it', async () => {
    const { id } = await ask('Ship it?')
    // Signed in on its own: the other pages share a session, which must not end here.
    const page = await site.stranger()
    await page.goto(await site.newLink())
    await page.locator('main').waitFor()
    await walk(page, `/requests/${id}`)
    await page.clock.install()
    await pressKey(page, '1')
    await page.locator('.toast', { hasText: 'yes Ship it?' }).waitFor()
    await walk(page, '/settings')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect((await site.hub.get(id)).outcome).toMatchObject({ status: 'answered', by: 'mina' })
  })

  it('can undo a decision: settles nothing while it counts down, opens the next request, and goes back with the choice', async () => {
    const second = await ask('Second?')
    const first = await ask('First?')
    const page = await site.visit({ path: `/requests/${first.id}` })
    await page.clock.install()
    await pressKey(page, '1')
    await page.waitForURL(`**/requests/${second.id}`)
    const toast = page.locator('.toast', { hasText: 'yes First?' })
    await toast.waitFor()
    await page.clock.runFor(4_000)
    expect(await statusOf(first.id)).toBe('pending')
    await page.keyboard.press('u')
    await page.waitForURL(`**/requests/${first.id}`)
    await toast.waitFor({ state: 'detached' })
    const yes = page.getByRole('button', { name: 'yes' })
    await yes.waitFor()
    expect(await yes.getAttribute('aria-pressed')).toBe('true')
    await page.clock.runFor(10_000)
    expect(await statusOf(first.id)).toBe('pending')
    // The other key for it; after that the choice stands, and is sent when its time is up.
    await pressKey(page, '2')
    await page.waitForURL(`**/requests/${second.id}`)
    await page.keyboard.press('Control+z')
    await page.waitForURL(`**/requests/${first.id}`)
    await page.getByRole('button', { name: 'no', exact: true }).click()
    await page.waitForURL(`**/requests/${second.id}`)
    await page.clock.runFor(5_100)
    await expect.poll(() => statusOf(first.id)).toBe('answered')
    expect((await site.hub.get(first.id)).outcome?.answers).toMatchObject([{ selected: ['no'] }])
    expect(page.notices.bad).toEqual([])
  })

  it('sends a decision at once when the page is closed', async () => {
    const { id } = await ask('Closing?')
    const page = await site.visit({ path: `/requests/${id}` })
    await pressKey(page, '2')
    await page.locator('.toast, .sending-bar').first().waitFor()
    await page.close({ runBeforeUnload: true })
    expect((await site.hub.wait(id, { for: 4_000 })).outcome?.answers).toMatchObject([{ selected: ['no'] }])
  })

  it('tells the person when somebody else answers in the meantime: they won', async () => {
    const { id } = await ask('Who?')
    const page = await site.visit({ path: `/requests/${id}` })
    await page.clock.install()
    await pressKey(page, '1')
    await site.hub.answer(id, { answers: [{ selected: ['no'] }], by: 'jun' })
    await page.locator('.toast, .outcome', { hasText: 'Someone else answered first.' }).first().waitFor()
    await page.clock.runFor(6_000)
    expect((await site.hub.get(id)).outcome).toMatchObject({ by: 'jun', answers: [{ selected: ['no'] }] })
    await walk(page, `/requests/${id}`)
    await page.locator('.outcome .notice', { hasText: 'Your answer was not used.' }).waitFor()
    await page.locator('.toast').waitFor({ state: 'detached' })
  })

  it('keeps a decision that cannot be sent, and says so', async () => {
    const { id } = await ask('Offline?')
    const page = await site.visit({ path: `/requests/${id}` })
    await page.route('**/answer', route => route.abort())
    await pressKey(page, '1')
    await sendAtOnce(page)
    await page.locator('.toast, .sending-bar').filter({ hasText: 'Not sent. The server cannot be reached.' }).waitFor()
    await page.unroute('**/answer')
    await walk(page, `/requests/${id}`)
    await page.getByRole('button', { name: 'Try again' }).click()
    expect((await site.hub.wait(id, { for: 10_000 })).outcome?.answers).toMatchObject([{ selected: ['yes'] }])
  })
})
