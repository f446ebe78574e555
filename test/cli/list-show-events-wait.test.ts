import { describe, expect, it } from 'vitest'
import { createSandbox, until } from './sandbox.ts'

describe('beckon list', () => {
  it('prints pending requests as JSON pages', async () => {
    const { ask, json } = await createSandbox()
    const ids: string[] = []
    for (const i of [1, 2, 3]) ids.push((await ask({ questions: [{ question: `Question ${i}?` }] })).id)
    const first = (await json(['list', '--limit', '2'])).document
    expect(Object.keys(first)).toEqual(['requests', 'next'])
    expect(first.requests.map((request: { id: string }) => request.id)).toEqual(ids.slice(0, 2))
    expect(first.next).toBe(ids[1])
    const second = (await json(['list', '--limit', '2', '--after', first.next])).document
    expect(second).toMatchObject({ requests: [{ id: ids[2] }], next: null })
  })

  it('filters by status, run and kind', async () => {
    const { ask, json, hub, cwd } = await createSandbox()
    const run = (await hub.runs.start({ command: ['agent'], cwd })).id
    const settled = await ask({ questions: [{ question: 'One?' }] })
    await hub.answer(settled.id, { value: 'x' })
    const ofRun = await ask({ questions: [{ question: 'Two?' }], run })
    const review = await ask({ kind: 'review', title: 'Three' })
    const ids = async (...args: string[]) =>
      (await json(['list', ...args])).document.requests.map((request: { id: string }) => request.id)
    expect(await ids()).toEqual([ofRun.id, review.id])
    expect(await ids('--all')).toEqual([settled.id, ofRun.id, review.id])
    expect(await ids('--status', 'answered')).toEqual([settled.id])
    expect(await ids('--run', run)).toEqual([ofRun.id])
    expect(await ids('--kind', 'review')).toEqual([review.id])
    expect(await ids('--all', '--status', 'answered')).toEqual([settled.id])
  })

  it('prints one aligned line per request, also with Korean and emoji, and escapes control characters', async () => {
    const { ask, run } = await createSandbox()
    const hostile = '\x1b[2J\x1b]0;owned\x07 rm\u202e\u200b\nsecond line'
    await ask({ questions: [{ question: '배포할까요?' }], agent: { name: '에이전트' } })
    await ask({ questions: [{ question: hostile }], agent: { name: 'evil\u202e' } })
    await ask({ questions: [{ question: '👩‍💻 ok?' }], agent: { name: 'plain' } })
    const { stdout } = await run(['list'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(/ {2}question {2}에이전트 {4}배포할까요\?$/)
    expect(lines[2]).toMatch(/ {2}evil\\u202e {2}\\x1b\[2J\\x1b\]0;owned\\x07 rm\\u202e\\u200b second line$/)
    expect(lines[3]).toMatch(/ {2}plain {7}👩‍💻 ok\?$/)
  })

  it('says that nothing is waiting', async () => {
    const { run } = await createSandbox()
    expect(await run(['list'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No requests are waiting. Settled ones: beckon list --all\n',
    })
  })
})

describe('beckon show', () => {
  it('shows every field and escapes control characters', async () => {
    const { ask, run, hub } = await createSandbox()
    const { id } = await ask({
      questions: [
        {
          question: 'Which\x1b[31m?',
          header: 'DB',
          category: 'choice',
          options: [{ label: 'a', description: 'first', preview: 'x\ny' }, 'b'],
          default: 'b',
        },
      ],
      context: '# Title\n\ttext\r\n\x9b2J',
      key: 'k',
      timeout: '1h',
      required: false,
    })
    await hub.answer(id, { value: 'a', note: 'fine' })
    const { stdout } = await run(['show', id])
    for (const part of [id, 'Which\\x1b[31m?', 'DB', 'choice', '1) a  first', '2) b', '# Title', '\ttext', '\\x9b2J']) {
      expect(stdout).toContain(part)
    }
    expect(stdout).toMatch(/^answer +a$/m)
    expect(stdout).toMatch(/^by +tester \(sdk\)$/m)
    expect(stdout).toMatch(/^note +fine$/m)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what must not be there
    expect(stdout).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/)
  })

  it('exits 4 for an unknown id', async () => {
    const { json } = await createSandbox()
    const { code, document, stderr } = await json(['show', 'req_nowhere'])
    const message = 'There is no request req_nowhere.'
    expect(code).toBe(4)
    expect(document).toEqual({ error: { code: 'not_found', message, details: null } })
    expect(stderr).toBe(`beckon: ${message} To see which there are: beckon list --all\n`)
  })

  it('escapes control characters in JSON without changing the parsed value', async () => {
    const { ask, run } = await createSandbox()
    const question = 'a\u202eb\x9bc\u200bd'
    const { id } = await ask({ questions: [{ question }] })
    const { stdout } = await run(['show', id, '--json'])
    expect(stdout).toContain('a\\u202eb\\u009bc\\u200bd')
    expect(JSON.parse(stdout).questions[0].question).toBe(question)
  })
})

describe('beckon events', () => {
  it('prints one exact JSON document per line, starting after a cursor', async () => {
    const { ask, run, hub } = await createSandbox()
    const { id, createdAt } = await ask({ questions: [{ question: 'One?' }] })
    await hub.answer(id, { value: 'x' })
    const { stdout } = await run(['events', '--json'])
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    const created = { id: 1, type: 'request.created', at: createdAt, request: id, run: null }
    expect(lines[0]).toBe(JSON.stringify({ ...created, data: { kind: 'question', deadline: null } }))
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ id: 2, type: 'request.answered', data: { by: 'tester' } })
    expect((await run(['events', '--since', '1', '--json'])).stdout).toBe(`${lines[1]}\n`)
    expect((await run(['events'])).stdout).toContain('request.answered')
  })

  it('follows until it is interrupted', async () => {
    const { ask, start, hub } = await createSandbox()
    const { id } = await ask({ questions: [{ question: 'One?' }] })
    const following = start(['events', '--follow', '--since', '0', '--json'])
    await until(() => following.written().stdout.includes('request.created'), 'the first event')
    await hub.answer(id, { value: 'x' })
    await until(() => following.written().stdout.includes('request.answered'), 'the second event')
    following.child.kill('SIGINT')
    expect(await following.result).toMatchObject({ code: 0, stderr: '' })
  })

  it('exits quietly when its output is closed', async () => {
    const { ask, start } = await createSandbox()
    const following = start(['events', '--follow', '--since', '0'])
    await ask({ questions: [{ question: 'One?' }] })
    await until(() => following.written().stdout.includes('created'), 'the first event')
    following.child.stdout?.destroy()
    await ask({ questions: [{ question: 'Two?' }] })
    expect(await following.result).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('beckon wait', () => {
  it('waits for the given time, and then prints the ticket again', async () => {
    const { ask, run, start, hub } = await createSandbox()
    const { id } = await ask({ questions: [{ question: 'One?' }] })
    const { code, stdout } = await run(['wait', id, '--for', '30ms'])
    expect({ code, ticket: JSON.parse(stdout) }).toEqual({
      code: 75,
      ticket: { status: 'pending', id, wait: `beckon wait ${id}`, resume: `beckon wait ${id}` },
    })
    const waiting = start(['wait', id])
    await hub.answer(id, { value: 'done' })
    expect(await waiting.result).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
  })

  it('exits 4 for an unknown id, and 1 for a bad duration', async () => {
    const { run } = await createSandbox()
    expect((await run(['wait', 'req_nowhere'])).code).toBe(4)
    expect((await run(['wait', 'req_nowhere', '--for', 'a while'])).code).toBe(1)
  })
})
