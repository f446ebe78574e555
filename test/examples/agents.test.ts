import { createHmac } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Request } from '../../src/index.ts'
import { endAll } from '../../src/supervisor/processes/processes.ts'
import { sandbox as anySandbox, type Sandbox, until } from '../cli/sandbox.ts'

const agents = join(import.meta.dirname, '../../examples/agents')

async function sandbox(): Promise<Sandbox> {
  const place = await anySandbox()
  place.atEnd(async () => {
    for (const { id } of await place.hub.runs.list()) await endAll(id, { grace: 100 })
  })
  return place
}

/** The next request that waits, which must be of this kind; answered by the command, from outside of the run. */
async function answer(place: Sandbox, kind: Request['kind'], args: string[], input?: string): Promise<Request> {
  const request = await place.pending()
  expect(request.kind).toBe(kind)
  const answered = await place.run(['answer', request.id, ...args], input === undefined ? {} : { input })
  expect(answered).toMatchObject({ code: 0 })
  return request
}

describe.skipIf(process.platform === 'win32')('an agent in bash', () => {
  it('packs what it was told to, asks before it deletes, and is reviewed', async () => {
    const place = await sandbox()
    for (const name of ['a.log', 'b.log', 'c.bak']) writeFileSync(join(place.cwd, name), name)
    const running = place.start(['run', '--', 'bash', join(agents, 'tidy.sh')])
    await answer(place, 'question', ['Logs'])
    await answer(place, 'question', ['yes'])
    const review = await answer(place, 'review', ['approve'])
    expect(review).toMatchObject({ title: 'the folder is tidy', files: ['packed.tar.gz'] })
    const { code, stdout } = await running.result
    expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'All is well.' })
    expect(['a.log', 'b.log', 'c.bak', 'packed.tar.gz'].filter(name => existsSync(join(place.cwd, name)))).toEqual([
      'c.bak',
      'packed.tar.gz',
    ])
  }, 60_000)

  it('keeps the files when it is told no, and hears what is wrong', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, 'a.bak'), '')
    const running = place.start(['run', '--', 'bash', join(agents, 'tidy.sh')])
    await answer(place, 'question', ['2'])
    await answer(place, 'question', ['no'])
    await answer(place, 'review', ['changes', '--text', 'call it old.tar.gz'])
    const { code, stdout } = await running.result
    expect(code).toBe(2)
    expect(stdout).toContain('I was told: call it old.tar.gz')
    expect(existsSync(join(place.cwd, 'a.bak'))).toBe(true)
  }, 60_000)

  it('reports that there is nothing to pack', async () => {
    const place = await sandbox()
    const running = place.start(['run', '--', 'bash', join(agents, 'tidy.sh')])
    await answer(place, 'question', ['Logs'])
    expect(await running.result).toMatchObject({ code: 1 })
    const events = await place.hub.events()
    expect(events.find(({ type }) => type === 'run.error')?.data.message).toContain('There are no Logs here.')
  })
})

describe.skipIf(process.platform === 'win32')('an agent in Python', () => {
  it('signs its report with a key that it was given, and revises it until it is approved', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, 'text'), 'tea tea tea cup cup pot')
    const running = place.start(['run', '--', 'python3', join(agents, 'report.py'), 'text'])
    await answer(place, 'question', ['2'])
    await answer(place, 'dependency', ['--from', '-'], 'key-of-the-tests')
    await answer(place, 'review', ['changes', '--text', 'Words,\nby number'])
    expect(await answer(place, 'review', ['approve'])).toMatchObject({ phase: 2 })
    const { code, stdout } = await running.result
    expect(code).toBe(0)
    expect(stdout).toContain('The report is approved.')
    const body = '# Words,\nby number\n\n- tea: 3\n- cup: 2\n'
    const signature = createHmac('sha256', 'key-of-the-tests').update(body).digest('hex')
    expect(readFileSync(join(place.cwd, 'report.md'), 'utf8')).toBe(`${body}\nSigned: ${signature}\n`)
  }, 60_000)

  it('goes by its default when the question is skipped', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, 'text'), 'a b c d e')
    const running = place.start(['run', '--', 'python3', join(agents, 'report.py'), 'text'])
    expect(await place.run(['skip', (await place.pending()).id])).toMatchObject({ code: 0 })
    await answer(place, 'dependency', ['--from', '-'], 'key-of-the-tests')
    await answer(place, 'review', ['approve'])
    expect(await running.result).toMatchObject({ code: 0 })
    expect(readFileSync(join(place.cwd, 'report.md'), 'utf8').match(/^- /gm)).toHaveLength(3)
  }, 60_000)

  it('ends its run by a fatal error', async () => {
    const place = await sandbox()
    writeFileSync(join(place.cwd, 'text'), '…')
    const { code, stderr } = await place.run(['run', '--', 'python3', join(agents, 'report.py'), 'text'])
    expect(code).not.toBe(0)
    expect(stderr).toContain('There are no words in text.')
    expect(await place.hub.runs.list()).toMatchObject([{ status: 'failed' }])
  })
})

describe.skipIf(process.platform === 'win32')('an agent in Node', () => {
  it('asks two questions at once, and hands a key to a command without seeing it', async () => {
    const place = await sandbox()
    const running = place.start(['run', '--', process.execPath, join(agents, 'seed.mjs')])
    const both = ['--answer', 'q1=Products', '--answer', 'q1=Customers', '--answer', 'q2=JPY']
    await answer(place, 'question', both)
    await answer(place, 'dependency', ['--from', '-'], 'key-of-the-tests')
    const { code, stdout } = await running.result
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Uploaded: 5 records, 16 characters of key\n' })
    expect(JSON.parse(readFileSync(join(place.cwd, 'records.json'), 'utf8'))[0]).toEqual({
      name: 'tea',
      currency: 'JPY',
    })
  }, 60_000)

  it('goes on waiting with its ticket', async () => {
    const place = await sandbox()
    const running = place.start(['run', '--', process.execPath, join(agents, 'seed.mjs')], {
      env: { BECKON_WAIT: '50ms' },
    })
    const request = await place.pending()
    await until(() => running.written().stderr.includes('AskUserQuestion --wait'), 'the ticket')
    await place.hub.answer(request.id, {
      answers: [
        { id: 'q1', value: 'Products' },
        { id: 'q2', value: 'EUR' },
      ],
    })
    await until(async () => (await place.hub.list()).requests[0]?.kind === 'dependency', 'the next request')
    const { id } = await place.pending()
    expect(await place.run(['decline', id, '--reason', 'none'])).toMatchObject({ code: 0 })
    const { code, stdout } = await running.result
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'There is no key (exit code 10), so nothing was uploaded.\n' })
  }, 60_000)
})
