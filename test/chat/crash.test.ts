import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { databases, testKey } from '../setup/databases.ts'
import { startProcess } from '../setup/start-process.ts'
import { startFakeTelegram } from './fake-telegram.ts'
import { openNode, outcomeOf, shipIt } from './test-node.ts'

const ana = { id: 1001, first_name: 'Ana' }

describe.each(databases)('a server that is killed on $name', ({ fresh }) => {
  it.each(['before', 'after'])('loses no press and settles nothing twice, %s it settles', async moment => {
    const database = await fresh()
    const telegram = await startFakeTelegram()
    const setup = await openNode(database)
    await setup.hub.targets.add({ kind: 'telegram', url: telegram.url, secret: telegram.token })
    setup.start()
    const { code } = await setup.hub.pairings.start('telegram')
    telegram.write(ana, `/pair ${code}`)
    await telegram.until(() => telegram.messages.find(({ text }) => /answers as ana/.test(text)), 'it is paired')
    const { id } = await setup.hub.raise(shipIt)
    const message = await telegram.until(() => telegram.messages.find(({ text }) => /Ship it/.test(text)), 'it asks')
    await setup.close()

    const query = telegram.press(ana, message, 'yes')
    const env = { ...process.env, BECKON_KEY: testKey, BECKON_USER: 'ana' }
    const child = startProcess(join(import.meta.dirname, 'processes/dying-node.ts'), [database, moment], env)
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])

    const next = await openNode(database)
    expect((await next.hub.get(id)).status).toBe(moment === 'after' ? 'answered' : 'pending')
    // The leases of the dead server end.
    next.pass(60_000)
    next.start()
    expect(await outcomeOf(next.hub, id)).toMatchObject({ status: 'answered', by: 'ana', channel: 'telegram' })
    await telegram.until(() => /Answered by ana/.test(message.text), 'the message says who answered')
    const events = await next.hub.events({ limit: 1_000 })
    expect(events.filter(({ type }) => type === 'request.answered')).toHaveLength(1)
    await telegram.until(() => telegram.unconfirmed() === 0, 'the update is confirmed')
    const told = await telegram.until(() => telegram.shown.find(one => one.query === query), 'ana is told')
    expect(told.text).toBe('You answered: yes')
    await next.close()
    const later = await openNode(database)
    later.pass(600_000)
    expect(await later.hub.chat.leasePresses(10)).toEqual([])
  })
})
