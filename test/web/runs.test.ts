import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runFolder } from '../../src/supervisor/folder.ts'
import { openLogWriter } from '../../src/supervisor/log/writer.ts'
import { until } from '../cli/sandbox.ts'
import { chrome, openSite, requireChrome, type Site } from './fixture.ts'

const launcher = join(import.meta.dirname, '../../bin/beckon.js')

// An agent that colours its lines, asks, and goes on with the answer.
const agent = `
  for (let i = 1; i <= 300; i++) console.log('line ' + i)
  console.log('\\x1b[32mall green\\x1b[0m and <script>alert(1)</script>')
  // Two pipes have no order between them, but for time.
  await new Promise(later => setTimeout(later, 300))
  console.error('careful')
  await new Promise(later => setTimeout(later, 300))
  console.log('[USER_QUESTION]\\ncategory: confirmation\\nquestion: Go on?\\noptions: [yes, no]\\n[/USER_QUESTION]')
  process.stdin.once('data', answer => {
    console.log('answered: ' + String(answer).trim())
    setInterval(() => {}, 1000)
  })
`

// Shows: Runs: state, what it waits for, live log (virtualised, colours, search), timeline, pause, resume, stop, checkpoints.
describe('runs in the browser', () => {
  let site: Site
  const started: { child: ReturnType<typeof spawn>; ended: Promise<unknown> }[] = []
  beforeEach(requireChrome)
  beforeAll(async () => {
    if (!chrome) return
    site = await openSite()
  })
  afterEach(() => site?.reset())
  afterAll(async () => {
    if (!chrome) return
    for (const run of await site.hub.runs.list({ active: true }))
      await site.hub.runs.change(run.id, { status: 'stopped' })
    await Promise.all(started.map(({ ended }) => ended))
    await site.close()
  })

  async function start(name: string) {
    const args = [launcher, 'run', '--name', name, '--', process.execPath, '-e', agent]
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...site.env },
      stdio: 'ignore',
      cwd: site.root,
    })
    started.push({ child, ended: once(child, 'close') })
    const request = await until(async () => (await site.hub.list()).requests[0], 'the question of the run')
    if (request.run === null) throw new Error('It was not asked by the run.')
    return { request, run: request.run }
  }

  // The first one: nobody supervises this run, and the recovery of another one would end it.
  it('shows each line of the log once, including notes, while the log grows', async () => {
    const run = await site.hub.runs.start({ name: 'slow', command: ['slow'], cwd: '/srv' })
    const writer = await openLogWriter(runFolder(site.env.BECKON_HOME, run.id).log)
    writer.write('out', Buffer.from('first 한국\n'))
    writer.note('a note')
    await writer.flush()
    const page = await site.visit({ path: `/runs/${run.id}` })
    await page.locator('.log-line.note', { hasText: 'a note' }).waitFor()
    writer.write('out', Buffer.from('second\n'))
    await writer.flush()
    await page.locator('.log-line', { hasText: 'second' }).waitFor()
    writer.note('the end')
    await writer.close({ final: true })
    await page.locator('.log-line.note', { hasText: 'the end' }).waitFor()
    expect(await page.locator('.log-line').allTextContents()).toEqual(['first 한국', 'a note', 'second', 'the end'])
    await site.hub.runs.change(run.id, { status: 'completed' })
  })

  it('shows a run live: what it waits for, its coloured log and its timeline', async () => {
    const { run, request } = await start('colourful')
    const page = await site.visit({ path: '/runs' })
    await page
      .getByRole('main')
      .getByRole('link', { name: /colourful/ })
      .click()
    await page.locator('.run-status', { hasText: 'Waiting for you' }).waitFor()
    await page.locator('.run-requests').getByText('Go on?').waitFor()
    const green = page.locator('.log-line .fg-2', { hasText: 'all green' })
    await green.waitFor()
    await page.locator('.log-line.err', { hasText: 'careful' }).waitFor()
    // Of 300 lines only those in sight are there.
    expect(await page.locator('.log-line').count()).toBeLessThan(120)
    await page.locator('.timeline', { hasText: 'Question: Go on?' }).waitFor()
    await page.locator('.checkpoints', { hasText: 'beckon restore chk_' }).waitFor()
    await site.hub.answer(request.id, { value: 'yes', by: 'jun' })
    await page.locator('.log-line', { hasText: 'answered: yes' }).waitFor()
    await page.locator('.timeline', { hasText: 'Answered · jun' }).waitFor()
    await page.locator('.timeline', { hasText: 'Delivered' }).waitFor()
    await page.locator('.run-status', { hasText: 'Running' }).waitFor()
    // Every line once, however often the log was asked for more.
    await page.getByRole('searchbox', { name: 'Search log' }).fill('answered: yes')
    await page.locator('.hits', { hasText: '1/1' }).waitFor()
    expect(page.notices.bad).toEqual([])
    await site.hub.runs.change(run, { status: 'stopped' })
    await page.locator('.run-status', { hasText: 'Stopped' }).waitFor()
  })

  it('searches the log and steps through the matches', async () => {
    const { run } = await start('searched')
    const page = await site.visit({ path: `/runs/${run}` })
    await page.locator('.log-line', { hasText: 'line 300' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search log' }).fill('line 12')
    await page.locator('.hits', { hasText: '1/11' }).waitFor()
    await page.locator('.log-line.current', { hasText: 'line 12' }).waitFor()
    await page.getByRole('button', { name: 'Next match' }).click()
    await page.locator('.log-line.current', { hasText: 'line 120' }).waitFor()
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.locator('.log-line.current', { hasText: 'line 129' }).waitFor()
    await site.hub.runs.change(run, { status: 'stopped' })
  })

  it('pauses, resumes and stops a run, and asks for confirmation before stopping', async () => {
    const { run, request } = await start('obedient')
    await site.hub.answer(request.id, { value: 'yes' })
    const page = await site.visit({ path: `/runs/${run}` })
    await page.locator('.log-line', { hasText: 'answered: yes' }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.locator('.run-status', { hasText: 'Paused' }).waitFor()
    expect((await site.hub.runs.get(run)).status).toBe('paused')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator('.run-status', { hasText: 'Running' }).waitFor()
    await page.getByRole('button', { name: 'Stop…' }).click()
    expect((await site.hub.runs.get(run)).status).toBe('running')
    await page.getByRole('button', { name: 'Stop run' }).click()
    await page.locator('.run-status', { hasText: 'Stopped' }).waitFor()
    await page.locator('.timeline', { hasText: 'Paused' }).waitFor()
    await page.locator('.timeline', { hasText: 'Resumed' }).waitFor()
    await until(async () => (await site.hub.runs.get(run)).status === 'stopped', 'the end of the run')
  })
})
