import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSandbox, launcher, until } from './sandbox.ts'

const shipIt = ['ask', 'Ship it?', '--option', 'yes', '--option', 'no']

describe('beckon ask', () => {
  it('prints only the answer that another process gave', async () => {
    const { start, run, pending } = await createSandbox()
    const asking = start(shipIt)
    const { id } = await pending()
    expect(await run(['answer', id, 'yes'])).toMatchObject({ code: 0, stdout: '' })
    expect(await asking.result).toEqual({ code: 0, stdout: 'yes\n', stderr: '' })
  })

  it('prints the exact outcome with --json', async () => {
    const { start, run, pending, hub } = await createSandbox()
    const asking = start([...shipIt, '--json'])
    const { id } = await pending()
    await run(['answer', id, '2', '--note', 'not today'])
    const { code, stdout } = await asking.result
    const request = await hub.get(id)
    expect(code).toBe(0)
    expect(stdout).toBe(
      `${JSON.stringify({
        id,
        status: 'answered',
        value: 'no',
        answers: [{ id: 'q1', selected: ['no'], text: null, note: null }],
        by: 'person',
        channel: 'cli',
        at: request.settledAt,
        note: 'not today',
        reason: null,
      })}\n`,
    )
    expect(request.deliveredAt).not.toBeNull()
  })

  it('prints several choices as an array, or as lines', async () => {
    const { start, hub, pending } = await createSandbox()
    const ask = ['ask', 'Which?', '--option', 'a', '--option', 'b', '--option', 'c', '--multi']
    const first = start([...ask, '--json'])
    await hub.answer((await pending()).id, { value: ['c', '1'] })
    expect(JSON.parse((await first.result).stdout).value).toEqual(['a', 'c'])
    const second = start(ask)
    await hub.answer((await pending()).id, { value: ['3', 'b'] })
    expect((await second.result).stdout).toBe('b\nc\n')
  })

  it('prints text of several lines unchanged', async () => {
    const { start, run, pending } = await createSandbox()
    const asking = start(['ask', 'What?'])
    await run(['answer', (await pending()).id, '--from', '-'], { input: 'one\ntwo\n\n' })
    expect((await asking.result).stdout).toBe('one\ntwo\n\n')
  })

  it('takes every flag', async () => {
    const { cwd, json, run } = await createSandbox()
    writeFileSync(join(cwd, 'context.md'), '# Why\n')
    const flags = [
      ...['--header', 'DB', '--option', 'a\\=b=first=best', '--option', 'c', '--multi', '--other'],
      ...['--default', 'c', '--default', '1', '--optional', '--category', 'choice', '--context', 'context.md'],
      ...['--timeout', '1h', '--on-timeout', 'fail', '--key', 'k1', '--plain', '--async'],
    ]
    const { stdout, code } = await run(['ask', 'Which?', ...flags])
    const ticket = JSON.parse(stdout)
    const wait = `beckon wait ${ticket.id}`
    expect(code).toBe(0)
    expect(stdout).toBe(`{"status":"pending","id":"${ticket.id}","wait":"${wait}","resume":"${wait}"}\n`)
    const { document } = await json(['show', ticket.id])
    expect(document).toMatchObject({
      required: false,
      key: 'k1',
      onTimeout: 'fail',
      context: '# Why\n',
      agent: { name: 'shell', cwd, path: [] },
      questions: [
        {
          id: 'q1',
          question: 'Which?',
          header: 'DB',
          category: 'choice',
          options: [
            { label: 'a=b', description: 'first=best', preview: '' },
            { label: 'c', description: '', preview: '' },
          ],
          multiSelect: true,
          allowOther: true,
          default: ['a=b', 'c'],
        },
      ],
    })
    expect(Date.parse(document.deadline) - Date.parse(document.createdAt)).toBe(3_600_000)
  })

  it('reads the context from stdin', async () => {
    const { run, pending } = await createSandbox()
    await run([...shipIt, '--context', '-', '--async'], { input: 'diff --git …' })
    expect((await pending()).context).toBe('diff --git …')
  })
})

describe('the exit code of beckon ask', () => {
  it('is 10 when the request was declined, with the reason', async () => {
    const { start, run, pending } = await createSandbox()
    const asking = start([...shipIt, '--json'])
    await run(['decline', (await pending()).id, '--reason', 'not on Fridays'])
    const { code, stdout } = await asking.result
    expect(code).toBe(10)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'declined', value: null, answers: [], reason: 'not on Fridays' })
  })

  it('is 11 when the request was skipped without a default, and 0 with one', async () => {
    const { start, run, pending } = await createSandbox()
    const plain = start([...shipIt, '--optional'])
    await run(['skip', (await pending()).id])
    expect(await plain.result).toMatchObject({ code: 11, stdout: '' })
    const withDefault = start([...shipIt, '--optional', '--default', 'no'])
    await run(['skip', (await pending()).id])
    expect(await withDefault.result).toMatchObject({ code: 0, stdout: 'no\n' })
  })

  it('is 12 when the deadline passed, and 0 when the default was used', async () => {
    const { run } = await createSandbox()
    expect(await run([...shipIt, '--timeout', '50ms', '--on-timeout', 'fail'])).toMatchObject({ code: 12, stdout: '' })
    const { code, stdout } = await run([
      ...shipIt,
      '--timeout',
      '50ms',
      '--on-timeout',
      'default',
      '--default',
      'no',
      '--json',
    ])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'defaulted', value: 'no', by: 'asker', channel: 'policy' })
  })

  it('is 13 when the request was cancelled, or its run ended', async () => {
    const { start, run, pending, hub, cwd } = await createSandbox()
    const cancelled = start(shipIt)
    await run(['cancel', (await pending()).id])
    expect(await cancelled.result).toMatchObject({ code: 13, stdout: '' })
    const { id } = await hub.runs.start({ command: ['agent'], cwd })
    const orphaned = start([...shipIt, '--json'], { env: { BECKON_RUN: id } })
    await pending()
    await hub.runs.change(id, { status: 'running' })
    await hub.runs.change(id, { status: 'completed' })
    const { code, stdout } = await orphaned.result
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 13, status: 'orphaned' })
  })

  it('is 69 without a terminal with --no-human fail, and nothing is asked', async () => {
    const { json, hub } = await createSandbox()
    const { code, document } = await json([...shipIt, '--no-human', 'fail'])
    expect(code).toBe(69)
    expect(document).toEqual({ error: { code: 'nobody', message: expect.any(String), details: null } })
    expect((await hub.list({ status: 'all' })).requests).toEqual([])
  })

  it('is 75 with --no-human park, as it is without the flag', async () => {
    const { run, pending } = await createSandbox()
    const { code, stdout } = await run([...shipIt, '--no-human', 'park'], { env: { BECKON_WAIT: '50ms' } })
    const { id } = await pending()
    expect({ code, stdout }).toEqual({
      code: 75,
      stdout: `{"status":"pending","id":"${id}","wait":"beckon wait ${id}","resume":"beckon wait ${id}"}\n`,
    })
  })
})

describe('an ask that nobody answers in time', () => {
  it('prints a ticket after BECKON_WAIT, and wait resumes it', async () => {
    const { run, hub, json } = await createSandbox()
    const { code, stdout, stderr } = await run(shipIt, { env: { BECKON_WAIT: '50ms' } })
    const { id, wait } = JSON.parse(stdout)
    expect({ code, wait }).toEqual({ code: 75, wait: `beckon wait ${id}` })
    expect(stderr).toContain(`beckon wait ${id}`)
    await hub.answer(id, { value: 'yes' })
    expect(await json(['wait', id])).toMatchObject({ code: 0, document: { id, value: 'yes', status: 'answered' } })
    expect((await hub.get(id)).deliveredAt).not.toBeNull()
  })

  it('is joined by the same ask, and after its delivery the same ask is a new request', async () => {
    const { run, json, hub } = await createSandbox()
    const { id } = JSON.parse((await run([...shipIt, '--async'])).stdout)
    expect(JSON.parse((await run([...shipIt, '--async'])).stdout).id).toBe(id)
    await hub.answer(id, { value: 'yes' })
    expect((await json(shipIt)).document).toMatchObject({ id, value: 'yes' })
    expect(JSON.parse((await run([...shipIt, '--async'])).stdout).id).not.toBe(id)
  })

  it('is the same request for the same key at any time', async () => {
    const { run, json, hub } = await createSandbox()
    const keyed = [...shipIt, '--key', 'release-7']
    const { id } = JSON.parse((await run([...keyed, '--async'])).stdout)
    await hub.answer(id, { value: 'no' })
    for (const _ of [1, 2]) expect((await json(keyed)).document).toMatchObject({ id, value: 'no' })
    const other = await json(['ask', 'Something else?', '--key', 'release-7'])
    expect(other).toMatchObject({ code: 1, document: { error: { code: 'key_conflict', details: { id } } } })
  })

  it('prints after two seconds how to answer it', async () => {
    const { start, pending, hub } = await createSandbox()
    const asking = start(shipIt)
    const { id } = await pending()
    await until(() => asking.written().stderr.includes(`beckon answer ${id}`), 'the announcement')
    await hub.answer(id, { value: 'yes' })
    const { stderr, stdout } = await asking.result
    expect(stdout).toBe('yes\n')
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('stays open on %s and prints how to resume', async signal => {
    const { start, pending, hub } = await createSandbox()
    const asking = start(shipIt)
    const { id } = await pending()
    asking.child.kill(signal)
    const { code, stdout, stderr } = await asking.result
    expect(code).toBe(75)
    const wait = `beckon wait ${id}`
    expect(JSON.parse(stdout)).toEqual({ status: 'pending', id, wait, resume: wait })
    expect(stderr).toContain(`beckon wait ${id}`)
    expect((await hub.get(id)).status).toBe('pending')
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('is withdrawn on %s with --cancel-on-exit', async signal => {
    const { start, pending, hub } = await createSandbox()
    const asking = start([...shipIt, '--cancel-on-exit', '--json'])
    const { id } = await pending()
    asking.child.kill(signal)
    const { code, stdout } = await asking.result
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 13, status: 'cancelled' })
    expect((await hub.get(id)).status).toBe('cancelled')
  })
})

describe('an answer that its asker did not read', () => {
  it('is not delivered when the pipe is closed, and the next ask delivers the same id', async () => {
    const { start, pending, hub, json } = await createSandbox()
    const asking = start(shipIt)
    const { id } = await pending()
    asking.child.stdout?.destroy()
    await hub.answer(id, { value: 'yes' })
    const { code, stderr } = await asking.result
    expect(code).toBe(75)
    expect(stderr).toContain('not delivered')
    expect((await hub.get(id)).deliveredAt).toBeNull()
    expect((await json(shipIt)).document).toMatchObject({ id, value: 'yes' })
    expect((await hub.get(id)).deliveredAt).not.toBeNull()
  })

  it.runIf(process.platform === 'linux')('is not delivered when the disk is full', async () => {
    const { env, cwd, pending, hub } = await createSandbox()
    const child = spawn(process.execPath, [launcher, ...shipIt], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    })
    const { id } = await pending()
    await hub.answer(id, { value: 'yes' })
    expect(await once(child, 'close')).toEqual([75, null])
    expect((await hub.get(id)).deliveredAt).toBeNull()
  })

  it('is delivered to the next ask after the asker was killed', async () => {
    const { start, pending, hub, json } = await createSandbox()
    const asking = start(shipIt)
    const { id } = await pending()
    asking.child.kill('SIGKILL')
    await asking.result
    await hub.answer(id, { value: 'no' })
    expect((await json(shipIt)).document).toMatchObject({ id, value: 'no' })
  })
})
