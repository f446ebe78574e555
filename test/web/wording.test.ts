import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'
import { apiKey, forcePush, review } from './samples.ts'

describe('the wording of the page', () => {
  let site: Site
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(() => site?.close())

  it('has a tab title of its own for each page', async () => {
    const run = await site.hub.runs.start({ name: 'nightly', command: ['nightly'], cwd: '/srv' })
    const { id } = await site.hub.raise({
      key: randomUUID(),
      run: run.id,
      questions: [{ question: 'Ship\u202e it?', options: ['yes', 'no'] }],
    })
    const page = await site.visit({ path: `/requests/${id}` })
    await expect.poll(() => page.title()).toBe('(1) Ship\\u202e it? · Beckon')
    await page.goto(`${site.url}/runs/${run.id}`)
    await expect.poll(() => page.title()).toBe('(1) nightly · Beckon')
    await site.hub.runs.change(run.id, { status: 'completed' })
    await expect.poll(() => page.title()).toBe('nightly · Beckon')
  })

  it('names the kind of a dependency, and says when its run ended', async () => {
    const run = await site.hub.runs.start({ name: 'short', command: ['short'], cwd: '/srv' })
    const { id } = await site.hub.raise({ key: randomUUID(), run: run.id, ...apiKey })
    const page = await site.visit()
    const row = page.locator('.inbox .row')
    await row.waitFor()
    expect(await row.locator('.row-about').textContent()).toMatch(/API key$/)
    await site.hub.runs.change(run.id, { status: 'failed', reason: 'It crashed' })
    await page.goto(`${site.url}/requests/${id}`)
    await page.locator('.outcome').getByRole('heading', { name: 'Run ended' }).waitFor()
    // Its id until the run is read.
    await expect.poll(() => page.locator('.outcome .decided-by').textContent()).toMatch(/^short/)
  })

  it('demands the reason of a declined dependency, and shows why the run failed, in the language of the reader', async () => {
    const run = await site.hub.runs.start({ name: 'payments', command: ['payments'], cwd: '/srv' })
    const { id } = await site.hub.raise({ key: randomUUID(), run: run.id, ...apiKey })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.getByRole('button', { name: 'Decline…' }).click()
    const form = page.locator('.text-panel')
    await form.getByRole('button', { name: 'Decline' }).click()
    await form.getByRole('alert').getByText('Enter a reason.').waitFor()
    expect((await site.hub.get(id)).status).toBe('pending')
    await form.getByRole('textbox').fill('no budget')
    await form.getByRole('button', { name: 'Decline' }).click()
    await expect.poll(async () => (await site.hub.get(id)).outcome?.reason).toBe('no budget')
    const reason = 'Required dependency rejected: STRIPE_KEY — <b>no</b> budget\u202e'
    await site.hub.runs.change(run.id, { status: 'failed', reason })
    await page.goto(`${site.url}/runs`)
    await page.locator('.run-reason', { hasText: 'STRIPE_KEY — <b>no</b> budget\\u202e' }).waitFor()
    await page.goto(`${site.url}/runs/${run.id}`)
    await page.locator('.about', { hasText: 'Reason' }).getByText('Required dependency rejected').waitFor()
    await page.locator('.timeline li', { hasText: 'Failed' }).getByText('STRIPE_KEY').waitFor()
    const korean = await site.visit({ path: `/runs/${run.id}`, language: 'ko-KR' })
    await korean.locator('.about').getByText('필수 항목 거절됨: STRIPE_KEY — <b>no</b> budget').waitFor()
  })

  it('shows a run that is paused and waiting as paused, and each of its requests once', async () => {
    const run = await site.hub.runs.start({ name: 'both', command: ['both'], cwd: '/srv' })
    const first = await site.hub.raise({ key: randomUUID(), run: run.id, questions: [{ question: 'First?' }] })
    await site.hub.answer(first.id, { value: 'done', by: 'jun' })
    await site.hub.raise({ key: randomUUID(), run: run.id, ...review })
    await site.hub.runs.change(run.id, { status: 'running' })
    await site.hub.runs.change(run.id, { status: 'paused' })
    const page = await site.visit({ path: `/runs/${run.id}` })
    await page.locator('.run-status', { hasText: 'Paused' }).waitFor()
    expect(await page.locator('.run-requests .row-about').textContent()).toMatch(/^Review/)
    const entry = page.locator('.timeline li', { hasText: 'First?' })
    await entry.waitFor()
    await expect.poll(() => entry.count()).toBe(1)
    expect(await entry.textContent()).toMatch(/Question: First\?Answered · jun \d+:\d\d/)
    await site.hub.runs.change(run.id, { status: 'stopped' })
  })

  it.each([
    ['en-US', 'Needs changes', 'Yes', 'from the command line'],
    ['ko-KR', '수정 필요', '예', '명령줄에서'],
    ['zh-CN', '需要修改', '允许', '通过命令行'],
  ])('translates the options and channels of the protocol: %s', async (language, changes, yes, from) => {
    const { hub } = site
    const phase = await hub.raise({ key: randomUUID(), ...review })
    await hub.answer(phase.id, { answers: [{ selected: ['changes'], text: 'shorter' }], channel: 'cli' })
    const push = await hub.raise({ key: randomUUID(), ...forcePush })
    await hub.answer(push.id, { value: 'yes', channel: 'cli' })
    const page = await site.visit({ language, path: `/requests/${phase.id}` })
    await page.locator('.outcome .value', { hasText: changes }).waitFor()
    await page.goto(`${site.url}/history`)
    const values = page.locator('.history-list .history-value')
    await values.nth(1).waitFor()
    expect((await values.allTextContents()).slice(0, 2)).toEqual([yes, `${changes}, shorter`])
    expect(await page.locator('.history-list .row-about').first().textContent()).toContain(from)
  })

  it.each([
    ['en-US', 'Overwrites history that others have.', 'Named but missing:'],
    ['ko-KR', '다른 사람이 가진 커밋 기록을 덮어씁니다.', '언급되었지만 없는 파일:'],
    ['zh-CN', '覆盖他人已有的历史。', '已列出但不存在：'],
  ])('says why a command is dangerous, and what a review found: %s', async (language, why, missing) => {
    const push = await site.hub.raise({ key: randomUUID(), ...forcePush })
    const phase = await site.hub.raise({ key: randomUUID(), ...review, context: 'Named but missing:\n\n- `x.ts`' })
    const page = await site.visit({ language, path: `/requests/${push.id}` })
    await page.locator('.reasons').getByText(why).waitFor()
    await page.goto(`${site.url}/requests/${phase.id}`)
    await page.getByText(missing).waitFor()
  })

  it.each([
    ['en-US', 'This run does not exist.', 'API key too short'],
    ['ko-KR', '존재하지 않는 실행입니다.', 'API 키가 너무 짧습니다.'],
    ['zh-CN', '此运行不存在。', 'API 密钥太短。'],
  ])("explains errors in the reader's language: %s", async (language, noRun, tooShort) => {
    const { id } = await site.hub.raise({ key: randomUUID(), ...apiKey })
    const page = await site.visit({ language, path: '/runs/run_nope' })
    await page.getByRole('heading', { name: noRun }).waitFor()
    await page.goto(`${site.url}/requests/${id}`)
    await page.locator('input[type=password]').fill('short')
    await page.keyboard.press('Enter')
    await page.getByText(tooShort).waitFor()
  })

  it('names no person when a deadline decided', async () => {
    const { id } = await site.hub.raise({
      key: randomUUID(),
      questions: [{ question: 'Too late?' }],
      timeout: 1,
      onTimeout: 'fail',
    })
    await site.hub.wait(id, { for: 10_000 })
    const page = await site.visit({ path: `/requests/${id}` })
    await page.locator('.outcome').waitFor()
    expect(await page.locator('.outcome .decided-by').textContent()).toMatch(/^at its deadline · /)
    await page.goto(`${site.url}/history`)
    const row = page.locator('.history-list .row', { hasText: 'Too late?' })
    await row.waitFor()
    expect(await row.textContent()).toMatch(/Expiredat its deadline/)
  })
})
