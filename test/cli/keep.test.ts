import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { keepTidy } from '../../src/cli/serve/keep.ts'
import { createLog } from '../../src/server/log.ts'
import { openStore } from '../../src/store/open.ts'
import { databases, temporaryFolder } from '../setup/databases.ts'
import { stored } from '../store/samples.ts'
import { createSandbox, until } from './sandbox.ts'

describe('beckon serve --keep', () => {
  it('deletes by itself what is older, and says so in a line', async () => {
    const { ask, hub, start } = await createSandbox()
    const settled = await ask({ questions: [{ question: 'One?' }] })
    const open = await ask({ questions: [{ question: 'Two?' }] })
    await hub.answer(settled.id, { value: 'x' })
    await sleep(5)
    const server = start(['serve', '--port', '0', '--no-link', '--keep', '1ms', '--log-level', 'info'])
    const isLeft = async () => (await hub.list({ status: 'all' })).requests.map(({ id }) => id)
    await until(async () => (await isLeft()).length === 1, 'the old request is deleted', 25_000)
    expect(await isLeft()).toEqual([open.id])
    const line = await until(
      () => /.*"requests":1,"events":2.*/.exec(server.written().stderr)?.[0],
      'a line in the log',
    )
    expect(JSON.parse(line)).toMatchObject({ level: 30, msg: 'deleted old requests, events and runs', runs: 0 })
    server.child.kill('SIGTERM')
    expect((await server.result).code).toBe(0)
  })

  it('refuses what is not a duration', async () => {
    const { run } = await createSandbox()
    for (const keep of ['forever', '0s', '-1d']) {
      const { code, stderr } = await run(['serve', '--port', '0', `--keep=${keep}`])
      expect([keep, code, stderr]).toEqual([keep, 1, expect.stringContaining('--keep')])
    }
  })
})

describe.each(databases)('servers that keep one database tidy, on $name', ({ fresh }) => {
  it('take turns: one of them does it, and none before it is due again', async () => {
    const database = await fresh()
    const stores = [await openStore({ database }), await openStore({ database })]
    const [store] = stores as [(typeof stores)[0], ...typeof stores]
    for (let i = 0; i < 3; i += 1) await stored(store, { status: 'answered', settledAt: 10 })
    const lines: { requests: number }[] = []
    const looks = { count: 0 }
    const log = createLog('info', { write: line => lines.push(JSON.parse(line)) })
    const stop = new AbortController()
    const pauses = { first: 0, look: 1, every: 60_000 }
    const keeping = stores.map(one => {
      const counted = {
        ...one,
        change: ((...args) => one.change(...args).finally(() => looks.count++)) as typeof one.change,
      }
      return keepTidy({ store: counted, home: temporaryFolder(), age: 60_000, log, signal: stop.signal, pauses })
    })
    await until(() => lines.length > 0 && looks.count > 20, 'both have looked many times')
    stop.abort()
    await Promise.all(keeping)
    expect(lines).toMatchObject([{ requests: 3 }])
    for (const one of stores) await one.close()
  })
})
