import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases, testKey } from '../setup/databases.ts'
import { startProcess } from '../setup/start-process.ts'
import { startReceiver } from './receiver.ts'
import { openTestHub, shipIt, until } from './test-hub.ts'

describe.each(databases)('a sender that is killed on $name', ({ fresh }) => {
  it('leaves its message to the next sender, which sends it with the same id once the lease expires', async () => {
    const database = await fresh()
    const { hub, pass, send } = await openTestHub(database)
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'webhook', url: receiver.url })
    await hub.raise(shipIt)
    const child = startProcess(join(import.meta.dirname, 'processes/dying-sender.ts'), [database], {
      ...process.env,
      BECKON_KEY: testKey,
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(receiver.received).toHaveLength(1)
    const [target] = await hub.outbox.targets()
    expect(await hub.outbox.lease(target?.id ?? '', 10)).toEqual([])
    expect(await hub.outbox.counts()).toMatchObject({ waiting: 1, sent: 0 })

    const sender = send()
    pass(60_000)
    sender.checkNow()
    await until(() => sender.counts.sent === 1, 'it was sent again')
    const [first, second] = await receiver.came(2)
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key'])
    expect(second?.body).toEqual(first?.body)
    expect(await hub.outbox.counts()).toMatchObject({ waiting: 0, sent: 1 })
  })

  it('neither duplicates nor skips a message, wherever the sender dies while writing', async () => {
    const database = await fresh()
    const [one, two] = [await openTestHub(database), await openTestHub(database)]
    const receiver = await startReceiver()
    await one.hub.targets.add({ kind: 'webhook', url: receiver.url })
    const ids: string[] = []
    for (let i = 0; i < 30; i += 1) ids.push((await one.hub.raise({ ...shipIt, context: String(i) })).id)
    const writes = [one, two, one, two].map(({ hub }) => hub.outbox.write())
    const missing = [one, two].map(({ hub }) => hub.outbox.writeMissing())
    const written = await Promise.all([...writes, ...missing])
    expect(written.reduce((sum, count) => sum + count, 0)).toBe(30)
    expect(await one.hub.outbox.waiting()).toBe(30)
  })
})
