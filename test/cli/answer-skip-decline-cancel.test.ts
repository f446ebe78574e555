import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }

describe('beckon answer', () => {
  it('prints the request with --json, as show does', async () => {
    const { ask, json } = await createSandbox()
    const { id } = await ask(shipIt)
    const answered = await json(['answer', id, 'yes'])
    expect(answered.code).toBe(0)
    expect(answered.document).toEqual((await json(['show', id])).document)
    expect(Object.keys(answered.document)).toEqual([
      ...['id', 'run', 'kind', 'status', 'required', 'questions', 'context', 'agent', 'place', 'session'],
      ...['deadline', 'onTimeout', 'key', 'createdAt', 'settledAt', 'deliveredAt', 'usedAt', 'outcome'],
      ...['messages', 'canReply', 'attachments'],
    ])
    expect(answered.document.outcome).toEqual({
      status: 'answered',
      answers: [{ id: 'q1', selected: ['yes'], text: null, note: null }],
      by: 'person',
      channel: 'cli',
      at: answered.document.settledAt,
      note: null,
      reason: null,
    })
  })

  it('names the flag that gave a wrong value', async () => {
    const { run, ask, cwd } = await createSandbox()
    const { id } = await ask(shipIt)
    writeFileSync(join(cwd, 'value'), 'maybe\n')
    const cases: [string[], string][] = [
      [['maybe'], 'VALUE: '],
      [['--answer', 'q1=maybe'], '--answer: '],
      [['--from', 'value'], '--from: '],
      [['--text', 'maybe'], '--text: '],
      [['yes', '--keep-everywhere'], '--keep-everywhere: '],
      [['yes', '--edit', 'ls'], `${id} is a question, not an approval.`],
    ]
    for (const [args, start] of cases) {
      const { code, stderr } = await run(['answer', id, ...args])
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^beckon: /) })
      expect(stderr.slice('beckon: '.length, 'beckon: '.length + start.length)).toBe(start)
    }
  })

  it('accepts the same answer again, and refuses a different one naming the winner', async () => {
    const { ask, run, json } = await createSandbox()
    const { id } = await ask(shipIt)
    await run(['answer', id, 'yes'])
    expect((await run(['answer', id, '1'], { env: { BECKON_USER: 'colleague' } })).code).toBe(0)
    const late = await json(['answer', id, 'no'], { env: { BECKON_USER: 'colleague' } })
    expect(late.code).toBe(6)
    expect(late.document.error).toMatchObject({ code: 'settled_otherwise', details: { by: 'person', channel: 'cli' } })
    expect(late.stderr).toMatch(/^beckon: .*person \(cli\) at \d{4}-.*: yes\n$/)
    expect((await run(['answer', id, 'yes', '--note', 'another note'])).code).toBe(6)
  })

  it('refuses an invalid answer and changes nothing', async () => {
    const { ask, run, hub } = await createSandbox()
    const { id } = await ask(shipIt)
    const refused: [string[], RegExp][] = [
      [['maybe'], /one of: yes, no/],
      [['yes', 'no'], /Only one/],
      [[''], /required/],
      [['--text', 'my own'], /no text of your own/],
      [['--answer', 'q9=yes'], /no question q9/],
      [['--answer', 'yes'], /q1=yes/],
      [['yes', '--from', '-'], /--from gives the value/],
      [['--from', 'nowhere.txt'], /nowhere\.txt cannot be read/],
      [[], /is missing/],
    ]
    for (const [args, reason] of refused) {
      const { code, stderr, stdout } = await run(['answer', id, ...args])
      expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }).toEqual({ code: 1, stdout: '', lines: 1 })
      expect(stderr).toMatch(reason)
    }
    expect((await hub.get(id)).status).toBe('pending')
  })

  it('refuses an empty answer to an optional choice, and points to skip', async () => {
    const { ask, run, hub } = await createSandbox()
    const { id } = await ask({ ...shipIt, required: false })
    const both = await ask({
      questions: ['First?', 'Second?'].map(question => ({ question, options: ['a', 'b'] })),
      required: false,
    })
    const cases = [
      [id, ''],
      [id, '--answer', 'q1='],
      [id, '--text', ''],
      [both.id, '--answer', 'q1=', '--answer', 'q2='],
    ]
    for (const args of cases) {
      const { code, stderr } = await run(['answer', ...args])
      expect({ args, code, stderr }).toEqual({ args, code: 1, stderr: expect.stringContaining('skip it') })
    }
    expect((await hub.get(id)).status).toBe('pending')
    expect((await run(['answer', both.id, '--answer', 'q1=b', '--answer', 'q2='])).code).toBe(0)
    expect((await hub.get(both.id)).outcome?.answers).toMatchObject([{ selected: ['b'] }, { selected: [], text: null }])
  })

  it('answers several questions by their ids', async () => {
    const { ask, run, hub, json } = await createSandbox()
    const { id } = await ask({
      questions: [{ question: 'First?', options: ['a', 'b', 'c'], multiSelect: true }, { question: 'Second?' }],
    })
    expect((await run(['answer', id, 'a'])).code).toBe(1)
    const answers = ['--answer', 'q1=a', '--answer', 'q1=3', '--answer', 'q2=x=y']
    expect((await run(['answer', id, ...answers])).code).toBe(0)
    expect((await hub.get(id)).outcome?.answers).toMatchObject([{ selected: ['a', 'c'] }, { text: 'x=y' }])
    expect((await json(['wait', id])).document).toMatchObject({ value: null, answers: [{ id: 'q1' }, { id: 'q2' }] })
  })

  it('takes custom text with --text if the question allows it', async () => {
    const { ask, run, hub } = await createSandbox()
    const { id } = await ask({ questions: [{ question: 'Which?', options: ['a'], allowOther: true }] })
    expect((await run(['answer', id, 'something else'])).code).toBe(1)
    expect((await run(['answer', id, '--text', 'something else'])).code).toBe(0)
    expect((await hub.get(id)).outcome?.answers[0]).toMatchObject({ selected: [], text: 'something else' })
  })

  it('takes a secret only from a file or stdin, and never prints it', async () => {
    const { ask, run, hub, cwd } = await createSandbox()
    const secret = 'sk-canary-4711'
    const need = { kind: 'dependency', type: 'api_key', name: 'KEY', description: 'a key' } as const
    const { id } = await ask(need)
    for (const args of [[secret], ['--text', secret], ['--answer', `q1=${secret}`]]) {
      const { code, stdout, stderr } = await run(['answer', id, ...args, '--json'])
      expect(code).toBe(1)
      expect(stdout + stderr).not.toContain(secret)
    }
    writeFileSync(join(cwd, 'secret'), `${secret}\r\n`)
    const { code, stdout, stderr } = await run(['answer', id, '--from', 'secret', '--json'])
    expect(code).toBe(0)
    expect(stdout + stderr).not.toContain(secret)
    expect((await run(['answer', id, '--from', '-'], { input: secret })).code).toBe(0)
    const other = await run(['answer', id, '--from', '-'], { input: 'sk-another-4712' })
    expect(other).toMatchObject({ code: 6, stderr: expect.not.stringContaining('sk-') })
    expect((await hub.use(id)).value).toBe(secret)
  })

  it('drops only one trailing newline', async () => {
    const { ask, run, hub } = await createSandbox()
    const { id } = await ask({ kind: 'dependency', type: 'env_variable', name: 'V', description: 'a value' })
    await run(['answer', id, '--from', '-'], { input: 'two lines\nand an empty one\n\n' })
    expect((await hub.use(id)).value).toBe('two lines\nand an empty one\n')
  })

  it('answers approvals with yes or no, and reviews with approve or changes', async () => {
    const { ask, run, json, cwd } = await createSandbox()
    const action = { command: 'rm -rf build', cwd, digest: 'd1' }
    const yes = await ask({ kind: 'approval', action })
    const no = await ask({ kind: 'approval', action })
    const critical = await ask({ kind: 'approval', action: { ...action, severity: 'critical' } })
    expect((await json(['answer', yes.id, 'yes'])).document.status).toBe('answered')
    expect((await json(['answer', no.id, 'no'])).document.status).toBe('declined')
    expect((await run(['answer', critical.id, 'yes'])).code).toBe(5)
    expect((await json(['wait', yes.id])).document).toMatchObject({ value: 'yes' })
    const review = await ask({ kind: 'review', title: 'Phase 1' })
    expect((await run(['answer', review.id, 'changes'])).code).toBe(1)
    const { document } = await json(['answer', review.id, 'changes', '--text', 'rename it'])
    expect(document).toMatchObject({ status: 'answered', feedback: 'rename it' })
    expect(await run(['wait', review.id])).toMatchObject({ code: 0, stdout: 'changes\nrename it\n' })
    const explained = await ask({ kind: 'approval', action })
    const refused = await json(['answer', explained.id, 'no', '--text', 'not on a Friday'])
    expect(refused.document.outcome).toMatchObject({ status: 'declined', reason: 'not on a Friday' })
    const conditional = await ask({ kind: 'approval', action })
    const { code, stderr } = await run(['answer', conditional.id, 'yes', '--text', 'if it is Monday'])
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--text goes with no') })
  })
})

describe('beckon skip, decline and cancel', () => {
  it('skip only optional requests', async () => {
    const { ask, run, json } = await createSandbox()
    const required = await ask(shipIt)
    const optional = await ask({ ...shipIt, required: false })
    expect(await run(['skip', required.id])).toMatchObject({ code: 1, stderr: expect.stringContaining('required') })
    const { code, document } = await json(['skip', optional.id, '--note', 'later'])
    expect({ code, status: document.status, note: document.outcome.note }).toEqual({
      code: 0,
      status: 'skipped',
      note: 'later',
    })
  })

  it('decline only with a reason', async () => {
    const { ask, run, json } = await createSandbox()
    const { id } = await ask(shipIt)
    expect((await run(['decline', id])).code).toBe(1)
    expect((await run(['decline', id, '--reason', ' '])).code).toBe(1)
    expect((await json(['decline', id, '--reason', 'no'])).document.outcome).toMatchObject({
      reason: 'no',
      by: 'person',
    })
    expect((await run(['decline', id, '--reason', 'no'])).code).toBe(0)
    expect((await run(['decline', id, '--reason', 'other'])).code).toBe(6)
  })

  it('cancel a request', async () => {
    const { ask, run, json } = await createSandbox()
    const { id } = await ask(shipIt)
    expect((await json(['cancel', id])).document.status).toBe('cancelled')
    expect((await run(['cancel', id])).code).toBe(0)
    expect((await run(['answer', id, 'yes'])).code).toBe(6)
  })

  it('exit 4 for an unknown id, and for a request of another run', async () => {
    const { ask, run, hub, cwd } = await createSandbox()
    const first = await hub.runs.start({ command: ['agent'], cwd })
    const { id } = await ask({ ...shipIt, run: first.id, required: false })
    const rest = { answer: ['yes'], skip: [], decline: ['--reason', 'no'], cancel: [] }
    for (const [command, args] of Object.entries(rest)) {
      expect((await run([command, 'req_nowhere', ...args])).code).toBe(4)
      expect((await run([command, id, ...args, '--run', 'run_other'])).code).toBe(4)
    }
    expect((await run(['answer', id, 'yes', '--run', first.id])).code).toBe(0)
  })
})
