import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { option, question, questioner, questions } from './questionnaire.ts'
import { createSandbox, type Sandbox, until } from './sandbox.ts'

const which = questions(question())
const impatient = { env: { BECKON_WAIT: '50ms' } }

describe('the answers of AskUserQuestion', () => {
  it('are one line on stdout and marked as delivered', async () => {
    const sandbox = await createSandbox()
    const asking = questioner(sandbox).startAsking([which])
    const { id } = await sandbox.pending()
    await sandbox.hub.answer(id, { value: 'PostgreSQL' })
    expect(await asking.result).toEqual({
      code: 0,
      stdout: `${JSON.stringify({
        answers: { Database: 'PostgreSQL' },
        details: [
          {
            header: 'Database',
            question: 'Which database?',
            selected: ['PostgreSQL'],
            text: null,
            note: null,
            status: 'answered',
          },
        ],
      })}\n`,
      stderr: '',
    })
    expect((await sandbox.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('are keyed by header: one choice, several, custom text, and both', async () => {
    const sandbox = await createSandbox()
    const asked = questions(
      question(),
      question({ header: 'Many', question: 'Many?', multiSelect: true, options: [option('a, b'), option('c')] }),
      question({ header: '__proto__', question: 'Own?' }),
      question({ header: 'Both', question: 'Both?', multiSelect: true }),
    )
    const asking = questioner(sandbox).startAsking([asked])
    await sandbox.hub.answer((await sandbox.pending()).id, {
      answers: [
        { id: 'q1', value: '1' },
        { id: 'q2', value: ['c', 'a, b'] },
        { id: 'q3', text: 'neither, "wait"', note: 'really' },
        { id: 'q4', value: ['SQLite'], text: 'and a cache' },
      ],
      note: 'have fun',
    })
    const { code, stdout } = await asking.result
    expect(code).toBe(0)
    expect(stdout).toContain('"__proto__":"Other (custom: neither, \\"wait\\")"')
    const { answers, details, note } = JSON.parse(stdout)
    expect(Object.entries(answers)).toEqual([
      ['Database', 'SQLite'],
      ['Many', 'a, b, c'],
      ['__proto__', 'Other (custom: neither, "wait")'],
      ['Both', 'SQLite, Other (custom: and a cache)'],
    ])
    expect(details).toMatchObject([
      { header: 'Database', selected: ['SQLite'], text: null, status: 'answered' },
      { header: 'Many', selected: ['a, b', 'c'], text: null },
      { header: '__proto__', selected: [], text: 'neither, "wait"', note: 'really' },
      { header: 'Both', selected: ['SQLite'], text: 'and a cache' },
    ])
    expect(note).toBe('have fun')
  })

  it('mark an optional question that was left out', async () => {
    const sandbox = await createSandbox()
    const asked = [
      { question: 'One?', options: ['a', 'b'] },
      { question: 'Two?', header: 'Two' },
    ]
    const { id } = await sandbox.ask({ required: false, questions: asked })
    await sandbox.hub.answer(id, { answers: [{ id: 'q2', value: 'plain text' }] })
    const { code, stdout } = await questioner(sandbox).ask(['--wait', id])
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: { answers: { Two: 'plain text' }, details: [{ status: 'unanswered' }, { status: 'answered' }] },
    })
  })

  it('are the defaults of the asker when the deadline passes', async () => {
    const sandbox = await createSandbox()
    const { id } = await sandbox.ask({
      questions: [{ question: 'Ship it?', options: ['yes', 'no'], default: 'no' }],
      timeout: 30,
      onTimeout: 'default',
    })
    const { code, stdout } = await questioner(sandbox).ask(['--wait', id])
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: { answers: { 'Ship it?': 'no' }, details: [{ selected: ['no'], status: 'defaulted' }] },
    })
  })
})

describe('AskUserQuestion', () => {
  const endings: [string, number, (sandbox: Sandbox, id: string) => Promise<unknown>, Record<string, unknown>][] = [
    [
      'declined',
      10,
      ({ hub }, id) => hub.decline(id, { reason: 'not on Fridays', note: 'sorry' }),
      { reason: 'not on Fridays', note: 'sorry' },
    ],
    ['cancelled', 13, ({ hub }, id) => hub.cancel(id), { reason: null, note: null }],
  ]

  it.each(endings)('reports that the request was %s', async (status, exitCode, settle, more) => {
    const sandbox = await createSandbox()
    const asking = questioner(sandbox).startAsking([which])
    const { id } = await sandbox.pending()
    await settle(sandbox, id)
    const { code, stdout, stderr } = await asking.result
    expect(code).toBe(exitCode)
    expect(JSON.parse(stdout)).toEqual({
      answers: {},
      details: [{ header: 'Database', question: 'Which database?', selected: [], text: null, note: null, status }],
      status,
      id,
      by: 'tester',
      channel: 'sdk',
      ...more,
    })
    expect(stderr).toMatch(new RegExp(`^AskUserQuestion: ${status} by tester [^\n]*\n$`, 'i'))
    expect((await sandbox.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('reports that the request was skipped or has expired', async () => {
    const sandbox = await createSandbox()
    const skipped = await sandbox.ask({ required: false, questions: [{ question: 'One?' }] })
    await sandbox.hub.skip(skipped.id)
    const expired = await sandbox.ask({ questions: [{ question: 'Two?' }], timeout: 30, onTimeout: 'fail' })
    for (const [id, code, status] of [
      [skipped.id, 11, 'skipped'],
      [expired.id, 12, 'expired'],
    ] as const) {
      const result = await questioner(sandbox).ask(['--wait', id])
      expect({ ...result, stdout: JSON.parse(result.stdout) }).toMatchObject({
        code,
        stdout: { answers: {}, details: [{ status }], status, id },
      })
    }
  })

  it('reports that its run has ended', async () => {
    const sandbox = await createSandbox()
    const { id: run } = await sandbox.hub.runs.start({ command: ['agent'], cwd: sandbox.cwd })
    const asking = questioner(sandbox).startAsking([which], { env: { BECKON_RUN: run } })
    expect((await sandbox.pending()).run).toBe(run)
    await sandbox.hub.runs.change(run, { status: 'running' })
    await sandbox.hub.runs.change(run, { status: 'completed' })
    const { code, stdout } = await asking.result
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 13, status: 'orphaned' })
    expect(await questioner(sandbox).ask([which], { env: { BECKON_RUN: run } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^AskUserQuestion: The run [^\n]+ has ended[^\n]+\n$/),
    })
  })
})

describe('a ticket of AskUserQuestion', () => {
  it('is printed after BECKON_WAIT with exit code 75, and --wait resumes it', async () => {
    const sandbox = await createSandbox()
    const { ask, startAsking } = questioner(sandbox)
    const { code, stdout, stderr } = await ask([which], impatient)
    const { id } = await sandbox.pending()
    const wait = `AskUserQuestion --wait ${id}`
    const ticket = { status: 'pending', id, wait, resume: wait }
    expect({ code, stdout }).toEqual({ code: 75, stdout: `${JSON.stringify(ticket)}\n` })
    expect(stderr).toBe(`AskUserQuestion: ${id} stays open. To continue: ${wait}\n`)
    expect(await ask(['--wait', id], impatient)).toEqual({ code, stdout, stderr })
    const waiting = startAsking(['--wait', id])
    await sandbox.hub.answer(id, { value: 'SQLite' })
    expect(JSON.parse((await waiting.result).stdout).answers).toEqual({ Database: 'SQLite' })
    expect((await sandbox.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('is printed at once with --async and exit code 0, from an argument, stdin or a file', async () => {
    const sandbox = await createSandbox()
    writeFileSync(join(sandbox.cwd, 'ask.json'), which)
    const ways: [string[], string][] = [
      [['--async', which], ''],
      [['--async', '-'], which],
      [['--async', '--file', 'ask.json'], ''],
    ]
    for (const [args, input] of ways) {
      const { code, stdout, stderr } = await questioner(sandbox).ask(args, { input })
      const { id } = await sandbox.pending()
      const wait = `AskUserQuestion --wait ${id}`
      const ticket = { status: 'pending', id, wait, resume: wait }
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${JSON.stringify(ticket)}\n`, stderr: '' })
    }
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('is announced after two seconds, and the same call joins the open request after a kill', async () => {
    const sandbox = await createSandbox()
    const { startAsking } = questioner(sandbox)
    const first = startAsking([which])
    const { id } = await sandbox.pending()
    await until(() => first.written().stderr !== '', 'the announcement')
    expect(first.written().stderr).toMatch(
      new RegExp(
        `^AskUserQuestion: ${id} waits [^\n]*AskUserQuestion --wait ${id} [^\n]*repeating the same call joins[^\n]*\n$`,
      ),
    )
    first.child.kill('SIGKILL')
    await first.result
    const again = startAsking([which])
    await sandbox.hub.answer(id, { value: 'SQLite' })
    expect(JSON.parse((await again.result).stdout).answers).toEqual({ Database: 'SQLite' })
    expect((await sandbox.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('is printed on %s', async signal => {
    const sandbox = await createSandbox()
    const asking = questioner(sandbox).startAsking([which])
    const { id } = await sandbox.pending()
    asking.child.kill(signal)
    const { code, stdout } = await asking.result
    expect({ code, ticket: JSON.parse(stdout) }).toMatchObject({ code: 75, ticket: { status: 'pending', id } })
    expect((await sandbox.hub.get(id)).status).toBe('pending')
  })

  it('is refused for an unknown id, or for a request that is not a question', async () => {
    const sandbox = await createSandbox()
    const { ask } = questioner(sandbox)
    expect(await ask(['--wait', 'req_1'])).toEqual({
      code: 4,
      stdout: '',
      stderr: 'AskUserQuestion: There is no request req_1.\n',
    })
    const { id } = await sandbox.ask({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'a key' })
    expect(await ask(['--wait', id])).toEqual({
      code: 1,
      stdout: '',
      stderr: `AskUserQuestion: ${id} is a dependency, not a question. Continue with: beckon need --resume ${id}\n`,
    })
  })
})

describe("AskUserQuestion in an agent's shell", () => {
  it("asks under the agent's name, and does not join the same question of another agent", async () => {
    const sandbox = await createSandbox()
    const { startAsking } = questioner(sandbox)
    const claude = startAsking([which], { env: { CLAUDECODE: '1' } })
    const codex = startAsking([which], { env: { CODEX_SANDBOX: 'seatbelt' } })
    const requests = await until(async () => {
      const { requests } = await sandbox.hub.list()
      return requests.length === 2 ? requests : null
    }, 'two requests')
    for (const { id, agent } of requests) {
      await sandbox.hub.answer(id, { value: agent.name === 'claude-code' ? 'SQLite' : 'PostgreSQL' })
    }
    expect(JSON.parse((await claude.result).stdout).answers).toEqual({ Database: 'SQLite' })
    expect(JSON.parse((await codex.result).stdout).answers).toEqual({ Database: 'PostgreSQL' })
  })

  it('reports with --no-human fail that nobody can be asked, and stores nothing', async () => {
    const sandbox = await createSandbox()
    const { code, stdout, stderr } = await questioner(sandbox).ask(['--no-human', 'fail', which])
    expect({ code, reason: JSON.parse(stdout) }).toEqual({
      code: 69,
      reason: {
        error: { code: 'nobody', message: expect.stringContaining('Nobody can be asked here'), details: null },
      },
    })
    expect(stderr).toMatch(/^AskUserQuestion: Nobody can be asked here[^\n]+\n$/)
    expect((await sandbox.hub.list({ status: 'all' })).requests).toEqual([])
    expect(await questioner(sandbox).ask(['--no-human', 'park', which], impatient)).toMatchObject({ code: 75 })
  })

  it('reports an unusable database in one line', async () => {
    const sandbox = await createSandbox()
    writeFileSync(join(sandbox.cwd, 'text.db'), 'not a database at all, but long enough to be read as one '.repeat(50))
    const { code, stdout, stderr } = await questioner(sandbox).ask([which], { env: { BECKON_DB: 'text.db' } })
    expect({ code, stdout }).toEqual({ code: 74, stdout: '' })
    expect(stderr).toMatch(/^AskUserQuestion: [^\n]+text\.db is not a Beckon database[^\n]+\n$/)
    expect(await questioner(sandbox).ask([which], { env: { BECKON_WAIT: 'long' } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^AskUserQuestion: BECKON_WAIT: is not a duration[^\n]*\n$/),
    })
  })

  it('leaves an answer that nobody read undelivered', async () => {
    const sandbox = await createSandbox()
    const { startAsking, ask } = questioner(sandbox)
    const asking = startAsking([which])
    const { id } = await sandbox.pending()
    asking.child.stdout?.destroy()
    await sandbox.hub.answer(id, { value: 'SQLite' })
    const { code, stderr } = await asking.result
    expect(code).toBe(75)
    expect(stderr).toMatch(new RegExp(`^AskUserQuestion: .*not delivered.* AskUserQuestion --wait ${id}\n$`))
    expect(JSON.parse((await ask([which])).stdout).answers).toEqual({ Database: 'SQLite' })
  })
})

describe('AskUserQuestion --help', () => {
  it('is a manual for agents that explains exit code 75', async () => {
    const { ask } = questioner(await createSandbox())
    const { code, stdout, stderr } = await ask(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const part of ['USAGE', 'JSON', 'OUTPUT', 'EXIT CODES', 'WHEN TO USE', 'WHEN NOT TO USE', 'EXAMPLES']) {
      expect(stdout).toMatch(new RegExp(`^${part}`, 'm'))
    }
    expect(stdout).toContain("AskUserQuestion - <<'EOF'")
    expect(stdout).toMatch(/75 {2}NOT ANSWERED YET[\s\S]+AskUserQuestion --wait/)
    // It has to be short, because an agent reads it into its context.
    expect(stdout.length).toBeLessThan(5_000)
    expect((await ask(['-h'])).stdout).toBe(stdout)
  })

  it('shows examples that work', async () => {
    const sandbox = await createSandbox()
    const { stdout } = await questioner(sandbox).ask(['--help'])
    const [, inArgument = ''] = /EXAMPLES\n {4}AskUserQuestion '(.+)'\n/.exec(stdout) ?? []
    const [, inDocument = ''] = /AskUserQuestion - <<'EOF'\n( {4}\{[\s\S]+?) {4}EOF/.exec(stdout) ?? []
    for (const json of [inArgument, inDocument]) {
      expect(await questioner(sandbox).ask(['--async', '-'], { input: json })).toMatchObject({ code: 0, stderr: '' })
    }
  })
})
