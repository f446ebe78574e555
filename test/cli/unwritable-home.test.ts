import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSmallDisk, mayMount } from '../setup/small-disk.ts'
import { createSandbox } from './sandbox.ts'

const canMount = mayMount()

describe.each(['full', 'read-only'] as const)('a home on a %s disk', state => {
  it('can still be read, and says with exit code 74 that it cannot be written', async context => {
    if (!canMount) context.skip('needs the right to mount a small file system (root)')
    const sandbox = await createSandbox()
    const disk = createSmallDisk('4m')
    sandbox.atEnd(disk.unmount)
    sandbox.env.BECKON_HOME = disk.folder
    const { run, json, cwd } = sandbox

    const { document: open } = await json(['ask', '--async', 'Ship it?', '--option', 'yes', '--option', 'no'])
    const { document: settled } = await json(['ask', '--async', 'Which port?', '--timeout', '1h'])
    expect((await run(['answer', settled.id, '8080'])).code).toBe(0)
    expect((await run(['run', '--name', 'hello', '--', 'echo', 'hello from the agent'])).code).toBe(0)
    // A deadline that passes now stays due, and keeps nobody from reading.
    await run(['ask', '--async', 'Late?', '--optional', '--default', 'x', '--timeout', '1ms'])
    const { document: runs } = await json(['runs', '--all'])
    const runId = runs.runs[0].id
    if (state === 'full') disk.fill()
    else disk.setReadOnly(true)

    const reading: [string[], string][] = [
      [['list'], 'Ship it?'],
      [['list', '--all'], 'Which port?'],
      [['show', settled.id], '8080'],
      [['runs', '--all'], 'hello'],
      [['runs', 'show', runId], 'hello'],
      [['runs', 'logs', runId], 'hello from the agent'],
      [['events'], 'run.completed'],
      [['wait', settled.id], '8080'],
      [['token', 'list', '--json'], 'tokens'],
      [['rules', 'list', '--json'], '['],
      [['backup', join(cwd, 'rescued.db')], ''],
    ]
    for (const [args, expected] of reading) {
      const { code, stdout, stderr } = await run(args)
      expect({ args, code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringContaining(expected) })
    }
    expect(existsSync(join(cwd, 'rescued.db'))).toBe(true)
    const doctor = await json(['doctor'])
    expect(doctor.document.findings.filter(({ what }: { what: string }) => what === 'writing')).toEqual([
      { what: 'writing', finding: expect.stringContaining(disk.folder), fine: false },
    ])

    const error = { code: state === 'full' ? 'disk_full' : 'read_only' }
    const writing = [
      ['ask', 'New?'],
      ['answer', open.id, 'yes'],
      ['run', '--', 'true'],
      ['need', 'api_key', 'K', '--description', 'd'],
      ['serve', '--port', '0', '--no-link'],
    ]
    for (const args of writing) expect({ args, ...(await run(args)) }).toMatchObject({ code: 74, stdout: '' })
    expect(await json(['ask', 'New?'])).toMatchObject({ code: 74, document: { error } })

    if (state === 'full') disk.makeRoom()
    else disk.setReadOnly(false)
    for (let i = 0; i < 2; i += 1) expect((await run(['ask', '--async', 'New?'])).code).toBe(0)
    const { document: after } = await json(['list'])
    expect(
      after.requests.map((request: { questions: { question: string }[] }) => request.questions[0]?.question),
    ).toEqual(['Ship it?', 'New?'])
  })

  it('says so with exit code 74 to a first run', async context => {
    if (!canMount) context.skip('needs the right to mount a small file system (root)')
    const { run, root, env, atEnd } = await createSandbox()
    const disk = createSmallDisk('1m')
    atEnd(disk.unmount)
    env.BECKON_HOME = disk.folder
    env.BECKON_DB = join(root, 'elsewhere.db')
    if (state === 'full') disk.fill()
    else disk.setReadOnly(true)
    const { code, stderr } = await run(['run', '--', 'true'])
    const why = state === 'full' ? /is full, .*Make room/ : /cannot be written, .*read-only/
    expect({ code, stderr }).toEqual({ code: 74, stderr: expect.stringMatching(why) })
  })
})
