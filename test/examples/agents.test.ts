import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/protocol/index.ts'
import { createRunSandbox } from '../cli/run-sandbox.ts'
import { type Sandbox, until } from '../cli/sandbox.ts'

const agents = join(import.meta.dirname, '../../examples/agents')

/** Answers the next pending request, which must be of this kind, with the command, outside the run. */
async function answer(sandbox: Sandbox, kind: Request['kind'], args: string[], input?: string): Promise<Request> {
  const request = await sandbox.pending()
  expect(request.kind).toBe(kind)
  const answered = await sandbox.run(['answer', request.id, ...args], input === undefined ? {} : { input })
  expect(answered).toMatchObject({ code: 0 })
  return request
}

describe.skipIf(process.platform === 'win32')('the bash example agent', () => {
  it('packs the chosen files, asks before it deletes them, and asks for a review', async () => {
    const sandbox = await createRunSandbox()
    for (const name of ['a.log', 'b.log', 'c.bak']) writeFileSync(join(sandbox.cwd, name), name)
    const running = sandbox.start(['run', '--', 'bash', join(agents, 'tidy.sh')])
    await answer(sandbox, 'question', ['Logs'])
    await answer(sandbox, 'question', ['yes'])
    const review = await answer(sandbox, 'review', ['approve'])
    expect(review).toMatchObject({ title: 'the folder is tidy', files: ['packed.tar.gz'] })
    const { code, stdout } = await running.result
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'All is well.' })
    expect(['a.log', 'b.log', 'c.bak', 'packed.tar.gz'].filter(name => existsSync(join(sandbox.cwd, name)))).toEqual([
      'c.bak',
      'packed.tar.gz',
    ])
  }, 60_000)

  it('keeps the files after a no, and reports the requested changes', async () => {
    const sandbox = await createRunSandbox()
    writeFileSync(join(sandbox.cwd, 'a.bak'), '')
    const running = sandbox.start(['run', '--', 'bash', join(agents, 'tidy.sh')])
    await answer(sandbox, 'question', ['2'])
    await answer(sandbox, 'question', ['no'])
    await answer(sandbox, 'review', ['changes', '--text', 'call it old.tar.gz'])
    const { code, stdout } = await running.result
    expect(code).toBe(2)
    expect(stdout).toContain('I was told: call it old.tar.gz')
    expect(existsSync(join(sandbox.cwd, 'a.bak'))).toBe(true)
  }, 60_000)

  it('reports that there is nothing to pack', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', 'bash', join(agents, 'tidy.sh')])
    await answer(sandbox, 'question', ['Logs'])
    expect(await running.result).toMatchObject({ code: 1 })
    const events = await sandbox.hub.events()
    expect(events.find(({ type }) => type === 'run.error')?.data.message).toContain('There are no Logs here.')
  })
})

describe.skipIf(process.platform === 'win32')('the Python example agent', () => {
  it('signs its report with the key it gets, and revises it until it is approved', async () => {
    const sandbox = await createRunSandbox()
    writeFileSync(join(sandbox.cwd, 'text'), 'tea tea tea cup cup pot')
    const running = sandbox.start(['run', '--', 'python3', join(agents, 'report.py'), 'text'])
    await answer(sandbox, 'question', ['2'])
    await answer(sandbox, 'dependency', ['--from', '-'], 'key-of-the-tests')
    await answer(sandbox, 'review', ['changes', '--text', 'Words,\nby number'])
    expect(await answer(sandbox, 'review', ['approve'])).toMatchObject({ phase: 2 })
    const { code, stdout } = await running.result
    expect(code).toBe(0)
    expect(stdout).toContain('The report is approved.')
    const body = '# Words,\nby number\n\n- tea: 3\n- cup: 2\n'
    const signature = createHmac('sha256', 'key-of-the-tests').update(body).digest('hex')
    expect(readFileSync(join(sandbox.cwd, 'report.md'), 'utf8')).toBe(`${body}\nSigned: ${signature}\n`)
  }, 60_000)

  it('uses its default when the question is skipped', async () => {
    const sandbox = await createRunSandbox()
    writeFileSync(join(sandbox.cwd, 'text'), 'a b c d e')
    const running = sandbox.start(['run', '--', 'python3', join(agents, 'report.py'), 'text'])
    expect(await sandbox.run(['skip', (await sandbox.pending()).id])).toMatchObject({ code: 0 })
    await answer(sandbox, 'dependency', ['--from', '-'], 'key-of-the-tests')
    await answer(sandbox, 'review', ['approve'])
    expect(await running.result).toMatchObject({ code: 0 })
    expect(readFileSync(join(sandbox.cwd, 'report.md'), 'utf8').match(/^- /gm)).toHaveLength(3)
  }, 60_000)

  it('ends its run with a fatal error', async () => {
    const sandbox = await createRunSandbox()
    writeFileSync(join(sandbox.cwd, 'text'), '…')
    const { code, stderr } = await sandbox.run(['run', '--', 'python3', join(agents, 'report.py'), 'text'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('There are no words in text.')
    expect(await sandbox.hub.runs.list()).toMatchObject([{ status: 'failed' }])
  })
})

describe.skipIf(process.platform === 'win32')('the Node example agent', () => {
  it('asks two questions at once, and passes a key to a command without seeing it', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', process.execPath, join(agents, 'seed.mjs')])
    const both = ['--answer', 'q1=Products', '--answer', 'q1=Customers', '--answer', 'q2=JPY']
    await answer(sandbox, 'question', both)
    await answer(sandbox, 'dependency', ['--from', '-'], 'key-of-the-tests')
    const { code, stdout } = await running.result
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Uploaded: 5 records, 16 characters of key\n' })
    expect(JSON.parse(readFileSync(join(sandbox.cwd, 'records.json'), 'utf8'))[0]).toEqual({
      name: 'tea',
      currency: 'JPY',
    })
  }, 60_000)

  it('continues to wait with its ticket', async () => {
    const sandbox = await createRunSandbox()
    const running = sandbox.start(['run', '--', process.execPath, join(agents, 'seed.mjs')], {
      env: { BECKON_WAIT: '50ms' },
    })
    const request = await sandbox.pending()
    await until(() => running.written().stderr.includes('AskUserQuestion --wait'), 'the ticket')
    await sandbox.hub.answer(request.id, {
      answers: [
        { id: 'q1', value: 'Products' },
        { id: 'q2', value: 'EUR' },
      ],
    })
    await until(async () => (await sandbox.hub.list()).requests[0]?.kind === 'dependency', 'the next request')
    const { id } = await sandbox.pending()
    expect(await sandbox.run(['decline', id, '--reason', 'none'])).toMatchObject({ code: 0 })
    const { code, stdout } = await running.result
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'There is no key (exit code 10), so nothing was uploaded.\n' })
  }, 60_000)
})
