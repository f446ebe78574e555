import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { option, question, questioner, questions } from './questionnaire.ts'
import { type Sandbox, sandbox, until } from './sandbox.ts'

const which = questions(question())
const impatient = { env: { BECKON_WAIT: '50ms' } }

describe('the answers of AskUserQuestion', () => {
  it('are one line on stdout, and delivered', async () => {
    const place = await sandbox()
    const asking = questioner(place).startAsking([which])
    const { id } = await place.pending()
    await place.hub.answer(id, { value: 'PostgreSQL' })
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
    expect((await place.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('name every question by its header: a choice, several, text of their own, and both', async () => {
    const place = await sandbox()
    const asked = questions(
      question(),
      question({ header: 'Many', question: 'Many?', multiSelect: true, options: [option('a, b'), option('c')] }),
      question({ header: '__proto__', question: 'Own?' }),
      question({ header: 'Both', question: 'Both?', multiSelect: true }),
    )
    const asking = questioner(place).startAsking([asked])
    await place.hub.answer((await place.pending()).id, {
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

  it('say where a question was left out, where that was allowed', async () => {
    const place = await sandbox()
    const asked = [
      { question: 'One?', options: ['a', 'b'] },
      { question: 'Two?', header: 'Two' },
    ]
    const { id } = await place.ask({ required: false, questions: asked })
    await place.hub.answer(id, { answers: [{ id: 'q2', value: 'plain text' }] })
    const { code, stdout } = await questioner(place).ask(['--wait', id])
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: { answers: { Two: 'plain text' }, details: [{ status: 'unanswered' }, { status: 'answered' }] },
    })
  })

  it('may be what the asker named for the case that nobody answers', async () => {
    const place = await sandbox()
    const { id } = await place.ask({
      questions: [{ question: 'Ship it?', options: ['yes', 'no'], default: 'no' }],
      timeout: 30,
      onTimeout: 'default',
    })
    const { code, stdout } = await questioner(place).ask(['--wait', id])
    expect({ code, result: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      result: { answers: { 'Ship it?': 'no' }, details: [{ selected: ['no'], status: 'defaulted' }] },
    })
  })
})

describe('AskUserQuestion without an answer', () => {
  const endings: [string, number, (place: Sandbox, id: string) => Promise<unknown>, Record<string, unknown>][] = [
    [
      'declined',
      10,
      ({ hub }, id) => hub.decline(id, { reason: 'not on Fridays', note: 'sorry' }),
      { reason: 'not on Fridays', note: 'sorry' },
    ],
    ['cancelled', 13, ({ hub }, id) => hub.cancel(id), { reason: null, note: null }],
  ]

  it.each(endings)('says that it was %s', async (status, exitCode, settle, more) => {
    const place = await sandbox()
    const asking = questioner(place).startAsking([which])
    const { id } = await place.pending()
    await settle(place, id)
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
    expect((await place.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('says that it was skipped, or has expired, where the asker allowed that', async () => {
    const place = await sandbox()
    const skipped = await place.ask({ required: false, questions: [{ question: 'One?' }] })
    await place.hub.skip(skipped.id)
    const expired = await place.ask({ questions: [{ question: 'Two?' }], timeout: 30, onTimeout: 'fail' })
    for (const [id, code, status] of [
      [skipped.id, 11, 'skipped'],
      [expired.id, 12, 'expired'],
    ] as const) {
      const result = await questioner(place).ask(['--wait', id])
      expect({ ...result, stdout: JSON.parse(result.stdout) }).toMatchObject({
        code,
        stdout: { answers: {}, details: [{ status }], status, id },
      })
    }
  })

  it('says that its run has ended for good', async () => {
    const place = await sandbox()
    const { id: run } = await place.hub.runs.start({ command: ['agent'], cwd: place.cwd })
    const asking = questioner(place).startAsking([which], { env: { BECKON_RUN: run } })
    expect((await place.pending()).run).toBe(run)
    await place.hub.runs.change(run, { status: 'running' })
    await place.hub.runs.change(run, { status: 'completed' })
    const { code, stdout } = await asking.result
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 13, status: 'orphaned' })
    expect(await questioner(place).ask([which], { env: { BECKON_RUN: run } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^AskUserQuestion: The run [^\n]+ has ended[^\n]+\n$/),
    })
  })
})

describe('a ticket of AskUserQuestion', () => {
  it('comes after BECKON_WAIT with exit 75, and --wait picks it up', async () => {
    const place = await sandbox()
    const { ask, startAsking } = questioner(place)
    const { code, stdout, stderr } = await ask([which], impatient)
    const { id } = await place.pending()
    const wait = `AskUserQuestion --wait ${id}`
    expect({ code, stdout }).toEqual({ code: 75, stdout: `${JSON.stringify({ status: 'pending', id, wait })}\n` })
    expect(stderr).toBe(`AskUserQuestion: ${id} stays open. To continue: ${wait}\n`)
    expect(await ask(['--wait', id], impatient)).toEqual({ code, stdout, stderr })
    const waiting = startAsking(['--wait', id])
    await place.hub.answer(id, { value: 'SQLite' })
    expect(JSON.parse((await waiting.result).stdout).answers).toEqual({ Database: 'SQLite' })
    expect((await place.hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('comes at once with --async and exit 0, however the JSON comes', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, 'ask.json'), which)
    const ways: [string[], string][] = [
      [['--async', which], ''],
      [['--async', '-'], which],
      [['--async', '--file', 'ask.json'], ''],
    ]
    for (const [args, input] of ways) {
      const { code, stdout, stderr } = await questioner(place).ask(args, { input })
      const { id } = await place.pending()
      const ticket = { status: 'pending', id, wait: `AskUserQuestion --wait ${id}` }
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${JSON.stringify(ticket)}\n`, stderr: '' })
    }
    expect((await place.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it('is announced after two seconds, for an agent whose shell is cut off; the repeating the same call joins', async () => {
    const place = await sandbox()
    const { startAsking } = questioner(place)
    const first = startAsking([which])
    const { id } = await place.pending()
    await until(() => first.written().stderr !== '', 'the announcement')
    expect(first.written().stderr).toMatch(
      new RegExp(
        `^AskUserQuestion: ${id} waits [^\n]*AskUserQuestion --wait ${id} [^\n]*repeating the same call joins[^\n]*\n$`,
      ),
    )
    first.child.kill('SIGKILL')
    await first.result
    const again = startAsking([which])
    await place.hub.answer(id, { value: 'SQLite' })
    expect(JSON.parse((await again.result).stdout).answers).toEqual({ Database: 'SQLite' })
    expect((await place.hub.list({ status: 'all' })).requests).toHaveLength(1)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('is handed out on %s', async signal => {
    const place = await sandbox()
    const asking = questioner(place).startAsking([which])
    const { id } = await place.pending()
    asking.child.kill(signal)
    const { code, stdout } = await asking.result
    expect({ code, ticket: JSON.parse(stdout) }).toMatchObject({ code: 75, ticket: { status: 'pending', id } })
    expect((await place.hub.get(id)).status).toBe('pending')
  })

  it('is not to be had for what is not there, or is no question', async () => {
    const place = await sandbox()
    const { ask } = questioner(place)
    expect(await ask(['--wait', 'req_1'])).toEqual({
      code: 4,
      stdout: '',
      stderr: 'AskUserQuestion: There is no request req_1.\n',
    })
    const { id } = await place.ask({ kind: 'dependency', type: 'api_key', name: 'KEY', description: 'a key' })
    expect(await ask(['--wait', id])).toEqual({
      code: 1,
      stdout: '',
      stderr: `AskUserQuestion: ${id} is a dependency, not a question. Wait for it with: beckon wait ${id}\n`,
    })
  })
})

describe('AskUserQuestion in an agent', () => {
  it('asks under its name, and does not mix its questions with those of another', async () => {
    const place = await sandbox()
    const { startAsking } = questioner(place)
    const claude = startAsking([which], { env: { CLAUDECODE: '1' } })
    const codex = startAsking([which], { env: { CODEX_SANDBOX: 'seatbelt' } })
    const requests = await until(async () => {
      const { requests } = await place.hub.list()
      return requests.length === 2 ? requests : null
    }, 'two requests')
    for (const { id, agent } of requests) {
      await place.hub.answer(id, { value: agent.name === 'claude-code' ? 'SQLite' : 'PostgreSQL' })
    }
    expect(JSON.parse((await claude.result).stdout).answers).toEqual({ Database: 'SQLite' })
    expect(JSON.parse((await codex.result).stdout).answers).toEqual({ Database: 'PostgreSQL' })
  })

  it('with --no-human fail tells a program why nobody was asked, and stores nothing', async () => {
    const place = await sandbox()
    const { code, stdout, stderr } = await questioner(place).ask(['--no-human', 'fail', which])
    expect({ code, reason: JSON.parse(stdout) }).toEqual({
      code: 69,
      reason: {
        error: { code: 'nobody', message: expect.stringContaining('Nobody can be asked here'), details: null },
      },
    })
    expect(stderr).toMatch(/^AskUserQuestion: Nobody can be asked here[^\n]+\n$/)
    expect((await place.hub.list({ status: 'all' })).requests).toEqual([])
    expect(await questioner(place).ask(['--no-human', 'park', which], impatient)).toMatchObject({ code: 75 })
  })

  it('tells of a database that cannot be used in one line', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, 'text.db'), 'not a database at all, but long enough to be read as one '.repeat(50))
    const { code, stdout, stderr } = await questioner(place).ask([which], { env: { BECKON_DB: 'text.db' } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^AskUserQuestion: [^\n]+text\.db is not a Beckon database[^\n]+\n$/)
    expect(await questioner(place).ask([which], { env: { BECKON_WAIT: 'long' } })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^AskUserQuestion: BECKON_WAIT: is not a duration[^\n]*\n$/),
    })
  })

  it('leaves an answer that nobody read undelivered', async () => {
    const place = await sandbox()
    const { startAsking, ask } = questioner(place)
    const asking = startAsking([which])
    const { id } = await place.pending()
    asking.child.stdout?.destroy()
    await place.hub.answer(id, { value: 'SQLite' })
    const { code, stderr } = await asking.result
    expect(code).toBe(75)
    expect(stderr).toMatch(new RegExp(`^AskUserQuestion: .*not delivered.* AskUserQuestion --wait ${id}\n$`))
    expect(JSON.parse((await ask([which])).stdout).answers).toEqual({ Database: 'SQLite' })
  })
})

describe('AskUserQuestion --help', () => {
  it('is a manual for agents, with what to do on exit 75', async () => {
    const { ask } = questioner(await sandbox())
    const { code, stdout, stderr } = await ask(['--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const part of ['USAGE', 'JSON', 'OUTPUT', 'EXIT CODES', 'WHEN TO USE', 'WHEN NOT TO USE', 'EXAMPLES']) {
      expect(stdout).toMatch(new RegExp(`^${part}`, 'm'))
    }
    expect(stdout).toContain("AskUserQuestion - <<'EOF'")
    expect(stdout).toMatch(/75 {2}NOT ANSWERED YET[\s\S]+AskUserQuestion --wait/)
    // An agent reads it into its context.
    expect(stdout.length).toBeLessThan(5_000)
    expect((await ask(['-h'])).stdout).toBe(stdout)
  })

  it('shows examples that work', async () => {
    const place = await sandbox()
    const { stdout } = await questioner(place).ask(['--help'])
    const [, inArgument = ''] = /EXAMPLES\n {4}AskUserQuestion '(.+)'\n/.exec(stdout) ?? []
    const [, inDocument = ''] = /AskUserQuestion - <<'EOF'\n( {4}\{[\s\S]+?) {4}EOF/.exec(stdout) ?? []
    for (const json of [inArgument, inDocument]) {
      expect(await questioner(place).ask(['--async', '-'], { input: json })).toMatchObject({ code: 0, stderr: '' })
    }
  })
})
