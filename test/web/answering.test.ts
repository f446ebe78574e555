import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Request } from '../../src/index.ts'
import { chrome, type House, needsChrome, openHouse } from './house.ts'
import { apiKey, batch, database, destroyAll, forcePush, install, previews, review } from './samples.ts'

describe('answering in the browser', () => {
  let house: House
  beforeEach(needsChrome)
  beforeAll(async () => {
    if (!chrome) return
    house = await openHouse()
  })
  afterEach(() => house?.leave())
  afterAll(() => house?.close())

  async function open(input: Parameters<House['hub']['raise']>[0], size: 'laptop' | 'phone' = 'laptop') {
    // By a key of its own, or it would be the same request as one that was asked before.
    const request = await house.hub.raise({ key: randomUUID(), ...input })
    const page = await house.visit({ path: `/requests/${request.id}`, size })
    return { page, id: request.id, outcome: () => settled(request.id) }
  }

  async function settled(id: string): Promise<NonNullable<Request['outcome']>> {
    const { outcome } = await house.hub.wait(id, { for: 15_000 })
    if (!outcome) throw new Error(`${id} was not settled.`)
    return outcome
  }

  it('sends a choice, says that it is settled, and says so when the agent has taken it', async () => {
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
    await page.getByText('The agent has not taken it yet').waitFor()
    await house.hub.confirmDelivery(id)
    await page.locator('.stages .done', { hasText: 'Delivered' }).waitFor()
    expect(page.notices.bad).toEqual([])
  })

  it('asks for a choice where there is none, and sends nothing', async () => {
    const { page, id } = await open(database)
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Choose one of the options.')
    expect((await house.hub.get(id)).status).toBe('pending')
  })

  it('takes an answer of one’s own, with a note beside it', async () => {
    const { page, outcome } = await open(database)
    await page.getByRole('radio', { name: 'Other…' }).check()
    await page.getByRole('textbox', { name: 'Your own answer' }).fill('MariaDB,\nas the others have')
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

  it('goes through a batch step by step, shows all answers, and lets one be changed', async () => {
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
    await page.getByRole('textbox', { name: 'Your own answer' }).fill('$40')
    await page.getByRole('button', { name: 'Review answers' }).click()
    await page.getByText('Your answers').waitFor()
    expect(await page.locator('.review-answers .value').allTextContents()).toEqual([
      'Seoul',
      'Cache',
      'Preview builds',
      'beacon',
      '$40',
    ])
    await page.getByRole('button', { name: 'Change Region' }).click()
    await page.getByRole('radio', { name: 'Oregon' }).check()
    for (const name of ['Next', 'Next', 'Next', 'Review answers', 'Send answers']) {
      await page.getByRole('button', { name, exact: true }).click()
    }
    expect((await outcome()).answers.map(({ selected, text }) => [...selected, text].filter(Boolean))).toEqual([
      ['Oregon'],
      ['Cache', 'Preview builds'],
      ['beacon'],
      ['$40'],
    ])
  })

  it('shows the preview of the option that is looked at', async () => {
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

  it('has the default chosen, and skips what is optional', async () => {
    const { page, outcome } = await open({
      required: false,
      questions: [{ question: 'Which port?', options: ['80', '8080'], default: '8080' }],
    })
    expect(await page.getByRole('radio', { name: /8080/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Skip' }).click()
    expect(await outcome()).toMatchObject({ status: 'skipped', channel: 'web' })
    await page.getByRole('heading', { name: 'Skipped' }).waitFor()
  })

  it('says until when it waits, and what happens then', async () => {
    const { page } = await open({
      required: false,
      timeout: '2h',
      questions: [{ question: 'Which port?', options: ['80', '8080'], default: '8080' }],
    })
    expect(await page.locator('.deadline').textContent()).toBe('Without an answer, its default is taken in 2h')
  })

  it('declines with a reason', async () => {
    const { page, outcome } = await open(database)
    await page.getByRole('button', { name: 'Decline…' }).click()
    await page.getByRole('textbox', { name: 'Why not? The agent is told.' }).fill('not this week')
    await page.getByRole('button', { name: 'Decline', exact: true }).click()
    expect(await outcome()).toMatchObject({ status: 'declined', reason: 'not this week' })
  })

  it('masks a secret, never fills it in by itself or drafts it, and hands it over sealed', async () => {
    const { page, id, outcome } = await open(apiKey)
    const drafts: string[] = []
    page.on('request', call => call.url().includes('/draft') && drafts.push(call.method()))
    const field = page.getByLabel('OPENAI_API_KEY', { exact: true })
    expect(await field.getAttribute('type')).toBe('password')
    expect(await field.getAttribute('autocomplete')).toBe('new-password')
    await field.fill('sk-canary-12345678')
    await page.getByRole('button', { name: 'Reveal' }).click()
    expect(await field.getAttribute('type')).toBe('text')
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await outcome()).toMatchObject({ status: 'answered', channel: 'web' })
    await page.getByText('Provided, and sealed').waitFor()
    expect(await page.content()).not.toContain('sk-canary')
    expect((await house.hub.use(id)).value).toBe('sk-canary-12345678')
    expect(drafts).toEqual([])
  })

  it('keeps the lines of a secret in several lines, and masks them too', async () => {
    const { page, id, outcome } = await open({
      kind: 'dependency',
      type: 'env_variable',
      name: 'DEPLOY_KEY',
      description: 'To sign',
    })
    const field = page.getByLabel('DEPLOY_KEY', { exact: true })
    await field.fill('-----BEGIN-----\nabc\n-----END-----')
    expect(await page.evaluate(`getComputedStyle(document.querySelector('textarea')).webkitTextSecurity`)).toBe('disc')
    await page.getByRole('button', { name: 'Send' }).click()
    await outcome()
    expect((await house.hub.use(id)).value).toBe('-----BEGIN-----\nabc\n-----END-----')
  })

  it('keeps a value for later asks like it, where one wants that', async () => {
    const { page, outcome } = await open({ ...apiKey, name: 'KEPT_KEY' })
    await page.getByLabel('KEPT_KEY', { exact: true }).fill('sk-kept-12345678')
    await page.getByRole('checkbox', { name: /Keep it for later asks/ }).check()
    await page.getByRole('button', { name: 'Send' }).click()
    await outcome()
    expect(await house.hub.listKept()).toMatchObject([{ dependency: 'KEPT_KEY', by: 'mina' }])
  })

  it('says why a value is none, in place', async () => {
    const { page, id } = await open(apiKey)
    await page.getByLabel('OPENAI_API_KEY', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByRole('alert').textContent()).toContain('API key too short')
    expect((await house.hub.get(id)).status).toBe('pending')
  })

  it('reviews a phase: the diff is coloured, changes need words', async () => {
    const { page, outcome } = await open(review)
    await page.locator('.line-added').nth(2).waitFor()
    expect(await page.locator('.line-added').count()).toBe(3)
    expect(await page.locator('.line-removed').textContent()).toContain('rows.map(row => row.price)')
    await page.getByRole('radio', { name: 'Needs changes' }).check()
    await page.getByRole('button', { name: 'Send' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Say what should be changed.')
    await page.getByRole('textbox', { name: 'What should be changed?' }).fill('round, do not throw')
    await page.getByRole('button', { name: 'Send' }).click()
    expect((await outcome()).answers).toMatchObject([{ selected: ['changes'], text: 'round, do not throw' }])
  })

  it('approves what is harmless by a click, refuses with a note', async () => {
    const yes = await open(install)
    await yes.page.getByRole('button', { name: 'Yes, run it' }).click()
    expect((await yes.outcome()).answers).toMatchObject([{ selected: ['yes'] }])
    const no = await open(install)
    await no.page.getByRole('textbox', { name: 'Note to the agent' }).fill('use pad-start')
    await no.page.getByRole('button', { name: 'No', exact: true }).click()
    expect(await no.outcome()).toMatchObject({ status: 'declined', reason: 'use pad-start' })
  })

  it('shows what is dangerous about a command, and takes no click for a yes: it must be held', async () => {
    const { page, id, outcome } = await open(forcePush)
    expect((await page.locator('.command mark').textContent())?.trim()).toBe('git push --force origin main')
    await page.getByText('Rewrites the history that others have.').waitFor()
    await page.getByText('git push --force-with-lease origin main').waitFor()
    const hold = page.getByRole('button', { name: 'Hold to run it' })
    await hold.click()
    await hold.press('Enter')
    await page.keyboard.press('1')
    expect((await house.hub.get(id)).status).toBe('pending')
    await hold.hover()
    await page.mouse.down()
    expect((await outcome()).answers).toMatchObject([{ selected: ['yes'] }])
    await page.mouse.up()
  })

  it('approves by a held key, and by a typed word', async () => {
    const byKey = await open(forcePush)
    await byKey.page.getByRole('button', { name: 'Hold to run it' }).focus()
    await byKey.page.keyboard.down(' ')
    expect((await byKey.outcome()).answers).toMatchObject([{ selected: ['yes'] }])
    const byWord = await open(forcePush)
    await byWord.page.getByRole('checkbox', { name: 'Approve by typing instead of holding' }).check()
    await byWord.page.getByLabel('Type yes to approve it').fill('yes')
    await byWord.page.getByRole('button', { name: 'Run it' }).click()
    expect((await byWord.outcome()).answers).toMatchObject([{ selected: ['yes'] }])
  })

  it('approves what is critical by a typed word alone, and not by a wrong one', async () => {
    const { page, id, outcome } = await open(destroyAll)
    const word = page.getByLabel('Type yes to approve it')
    const run = page.getByRole('button', { name: 'Run it' })
    expect(await run.isDisabled()).toBe(true)
    await word.fill('y')
    await word.press('Enter')
    expect((await house.hub.get(id)).status).toBe('pending')
    await word.fill('')
    await word.pressSequentially('yes')
    await run.click()
    expect(await outcome()).toMatchObject({ answers: [{ selected: ['yes'] }], channel: 'web' })
  })

  it('wants all of a long dangerous command to be seen before it can be approved', async () => {
    const command = `${[...Array(80).keys()].map(i => `echo ${i}`).join('\n')}\n\n\n\nrm -rf /srv`
    const { page } = await open({ ...forcePush, action: { ...forcePush.action, command, reasons: [] } })
    await page.getByText('(3 empty lines)').waitFor({ state: 'attached' })
    expect(await page.getByRole('button', { name: 'Hold to run it' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Read all of it first ↓' }).click()
    await page.getByRole('button', { name: 'Hold to run it' }).waitFor()
  })
})
