import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { batch, database, previews, review } from './samples.ts'

// Shows: Request: options as real radios and checkboxes with descriptions and previews side by side, Other with a growing text
// field, a note beside any answer, batch of questions as steps with review; settled, and delivered when the agent took it.
describe('answering in the browser', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  const open = (input: Parameters<Site['open']>[0], size: 'laptop' | 'phone' = 'laptop') => site.open(input, size)

  it('sends a choice, and shows when it is settled and when the agent has it', async () => {
    const { page, id, outcome } = await open(database)
    await page.getByRole('radio', { name: /SQLite/ }).check()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await outcome()).toMatchObject({
      status: 'answered',
      answers: [{ selected: ['SQLite'], text: null }],
      by: 'mina',
      channel: 'web',
    })
    await page.getByRole('heading', { name: 'Answered' }).waitFor()
    await page.getByText('The agent has not picked it up yet').waitFor()
    await site.hub.confirmDelivery(id)
    await page.locator('.stages .done', { hasText: 'Delivered' }).waitFor()
    expect(page.notices.bad).toEqual([])
  })

  it('asks for a choice when none was made, and sends nothing', async () => {
    const { page, id } = await open(database)
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Choose one of the options.')
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('accepts a custom answer with a note', async () => {
    const { page, outcome } = await open(database)
    await page.getByRole('radio', { name: 'Other…' }).check()
    await page.getByRole('textbox', { name: 'Your answer' }).fill('MariaDB,\nas the others have')
    await page.getByRole('button', { name: '+ Add a note' }).click()
    await page.getByRole('textbox', { name: 'Note' }).fill('see the wiki')
    await page.keyboard.press('Control+Enter')
    expect((await outcome()).answers).toEqual([
      { id: 'q1', selected: [], text: 'MariaDB,\nas the others have', note: 'see the wiki' },
    ])
  })

  it('grows the text field with its text', async () => {
    const { page } = await open({ questions: [{ question: 'Why?' }] })
    const field = page.getByRole('textbox', { name: 'Why?' })
    const before = await field.boundingBox()
    await field.fill('one\ntwo\nthree\nfour\nfive\nsix\nseven')
    const after = await field.boundingBox()
    expect(after?.height).toBeGreaterThan((before?.height ?? 0) + 40)
  })

  it('steps through a batch, shows all answers for review, and lets the person edit one', async () => {
    const { page, outcome } = await open(batch)
    await page.getByRole('radio', { name: 'Seoul' }).check()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('Question 2 of 4').waitFor()
    await page.getByRole('checkbox', { name: /Cache/ }).check()
    await page.getByRole('checkbox', { name: /Preview builds/ }).check()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('textbox', { name: 'What should the service be called?' }).fill('beacon')
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('radio', { name: 'Other…' }).check()
    await page.getByRole('textbox', { name: 'Your answer' }).fill('$40')
    await page.getByRole('button', { name: 'Review answers' }).click()
    await page.getByText('Your answers').waitFor()
    expect(await page.locator('.review-answers .value').allTextContents()).toEqual([
      'Seoul',
      'Cache',
      'Preview builds',
      'beacon',
      '$40',
    ])
    await page.getByRole('button', { name: 'Edit Region' }).click()
    await page.getByRole('radio', { name: 'Oregon' }).check()
    for (const name of ['Review answers', 'Send answers']) {
      await page.getByRole('button', { name, exact: true }).click()
    }
    expect((await outcome()).answers.map(({ selected, text }) => [...selected, text].filter(Boolean))).toEqual([
      ['Oregon'],
      ['Cache', 'Preview builds'],
      ['beacon'],
      ['$40'],
    ])
  })

  it('shows the preview of the focused option', async () => {
    const { page } = await open(previews)
    await page.getByRole('radio', { name: /Table/ }).focus()
    await page.getByText('| bolt |  0.12 |').waitFor()
    await page.getByRole('radio', { name: /Cards/ }).check()
    await page.getByText('| 0.12 |  | 0.09 |').waitFor()
    const [list, preview] = await Promise.all(
      ['.option-list', '.preview'].map(place => page.locator(place).boundingBox()),
    )
    expect(preview?.x).toBeGreaterThan((list?.x ?? 0) + (list?.width ?? 0) - 1)
  })

  it('preselects the default, and skips an optional request', async () => {
    const { page, outcome } = await open({
      required: false,
      questions: [{ question: 'Which port?', options: ['80', '8080'], default: '8080' }],
    })
    expect(await page.getByRole('radio', { name: /8080/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Skip' }).click()
    expect(await outcome()).toMatchObject({ status: 'skipped', channel: 'web' })
    await page.getByRole('heading', { name: 'Skipped' }).waitFor()
  })

  it('does not send an empty form, and points to skip', async () => {
    const { page, id } = await open({
      required: false,
      questions: [{ question: 'Which port?', options: ['80', '8080'] }],
    })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('alert').filter({ hasText: 'Nothing is filled in. To pass over this' }).waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
  })

  it('says when the deadline is, and what happens then', async () => {
    const { page } = await open({
      required: false,
      timeout: '2h',
      questions: [{ question: 'Which port?', options: ['80', '8080'], default: '8080' }],
    })
    expect(await page.locator('.deadline').textContent()).toMatch(/^Without an answer, the default is used in 2h \(/)
  })

  it('declines a request with a reason', async () => {
    const { page, outcome } = await open(database)
    await page.getByRole('button', { name: 'Decline…' }).click()
    await page.getByRole('textbox', { name: 'Reason (sent to the agent)' }).fill('not this week')
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    expect(await outcome()).toMatchObject({ status: 'declined', reason: 'not this week' })
  })
})
