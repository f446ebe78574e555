import { describe, expect, it } from 'vitest'
import type { AddTargetInput, AskInput } from '../../src/protocol/index.ts'
import { databases } from '../setup/databases.ts'
import { startReceiver } from './receiver.ts'
import { openTestHub, shipIt, until } from './test-hub.ts'

const minute = 60_000
const hour = 60 * minute

describe.each(databases)('when a target is notified, on $name', ({ fresh }) => {
  /** Targets that each take their name as a path, and what came to them so far. */
  async function open(targets: Record<string, Partial<AddTargetInput>>) {
    const test = await openTestHub(await fresh())
    const receiver = await startReceiver()
    for (const [name, wants] of Object.entries(targets)) {
      await test.hub.targets.add({ kind: 'webhook', url: `${receiver.url}/${name}`, name, ...wants })
    }
    const sender = test.send()
    return {
      ...test,
      came: () => receiver.received.map(({ path, json }) => `${path.slice(1)} ${json.event.split('.')[1]}`),
      async passAndCheck(ms: number) {
        test.pass(ms)
        await test.hub.sweep()
        sender.checkNow()
      },
      sent: (count: number) => until(() => sender.counts.sent === count, `${count} were sent`),
    }
  }

  it('climbs a ladder of targets until somebody answers, and tells those that it reached', async () => {
    const { hub, passAndCheck, sent, came } = await open({
      first: {},
      second: { after: '10m' },
      third: { after: '1h' },
    })
    const { id } = await hub.raise(shipIt)
    await sent(1)
    await passAndCheck(9 * minute)
    expect(await hub.outbox.waiting()).toBe(0)
    await passAndCheck(minute)
    await sent(2)
    await hub.answer(id, { value: 'yes' })
    await sent(4)
    await passAndCheck(2 * hour)
    await until(async () => (await hub.outbox.counts()).cancelled === 1, 'the third is never told')
    expect(came().slice(0, 2)).toEqual(['first created', 'second created'])
    expect(came().slice(2).sort()).toEqual(['first settled', 'second settled'])
  })

  it('sends no reminder before the first message would come', async () => {
    const { hub, passAndCheck, sent, came } = await open({ first: {}, later: { after: 90 * minute } })
    await hub.raise({ ...shipIt, timeout: hour, onTimeout: 'remind' })
    await sent(1)
    await passAndCheck(hour)
    await sent(2)
    await passAndCheck(30 * minute)
    await sent(3)
    expect(came()).toEqual(['first created', 'first reminded', 'later created'])
  })

  it('sends what is urgent only, and what becomes urgent when it does', async () => {
    const { hub, passAndCheck, sent, came } = await open({ urgent: { urgentOnly: true } })
    const ask = (key: string, more: Partial<AskInput> = {}) => hub.raise({ ...shipIt, key, ...more } as AskInput)
    await ask('never')
    await ask('in an hour', { timeout: hour })
    await ask('at once', { timeout: 10 * minute, onTimeout: 'fail' })
    await sent(1)
    await passAndCheck(44 * minute)
    expect(await hub.outbox.waiting()).toBe(0)
    await passAndCheck(minute)
    // The second that is due, and that the first has expired.
    await sent(3)
    expect(came().sort()).toEqual(['urgent created', 'urgent created', 'urgent settled'])
  })

  it('marks as urgent what is urgent when it is sent, not only when it was asked', async () => {
    const { hub, pass, send } = await openTestHub(await fresh())
    const receiver = await startReceiver()
    await hub.targets.add({ kind: 'ntfy', url: `${receiver.url}/at-once`, name: 'at once' })
    await hub.targets.add({ kind: 'ntfy', url: `${receiver.url}/urgent`, name: 'urgent', urgentOnly: true })
    await hub.targets.add({ kind: 'ntfy', url: `${receiver.url}/later`, name: 'later', after: '50m' })
    const sender = send()
    await hub.raise({ ...shipIt, timeout: hour, onTimeout: 'fail' })
    await until(() => sender.counts.sent === 1, 'the first was sent')
    pass(50 * minute)
    sender.checkNow()
    const priorities = (await receiver.came(3)).map(({ json }) => `${json.topic} ${json.priority}`)
    expect(priorities.sort()).toEqual(['at-once 3', 'later 5', 'urgent 5'])
  })

  it('holds messages back in quiet hours, except urgent ones where it is told so', async () => {
    const clock = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16)
    const quiet = { from: clock(-hour), to: clock(2 * hour) }
    const { hub, passAndCheck, sent, came } = await open({
      asleep: { quiet, timeZone: 'UTC' },
      light: { quiet: { ...quiet, exceptUrgent: true }, timeZone: 'UTC' },
      elsewhere: { quiet, timeZone: 'Asia/Kolkata' },
    })
    await hub.raise(shipIt)
    await sent(1)
    await hub.raise({ ...shipIt, key: 'soon', timeout: 10 * minute, onTimeout: 'remind' })
    await sent(3)
    expect(came().sort()).toEqual(['elsewhere created', 'elsewhere created', 'light created'])
    await hub.raise({ ...shipIt, key: 'tonight', timeout: hour, onTimeout: 'remind' })
    await sent(4)
    const created = (name: string) => came().filter(one => one === `${name} created`).length
    await passAndCheck(50 * minute)
    await until(() => created('light') === 2, 'what becomes urgent in the night does not wait for the morning')
    expect(created('asleep')).toBe(0)
    await passAndCheck(hour + 11 * minute)
    await until(() => created('asleep') === 3 && created('light') === 3, 'it is morning')
  })

  it('sends requests and failed runs of its projects only', async () => {
    const { hub, sent, came } = await open({
      byPath: { projects: ['/work/shop/'] },
      byName: { projects: ['shop', 'bank'] },
      other: { projects: ['/work/sho', 'work/shop2', 'or'] },
    })
    const ask = (cwd: string) => hub.raise({ ...shipIt, key: cwd, agent: { cwd } } as AskInput)
    await ask('/work/shop')
    await ask('/work/shop/api')
    await ask('/home/shop')
    await ask('/work/shopping')
    const run = await hub.runs.start({ name: 'x', command: ['x'], cwd: '/work/shop/web' })
    await hub.runs.change(run.id, { status: 'failed', reason: 'crashed' })
    await sent(7)
    const count = (name: string) => came().filter(one => one.startsWith(name)).length
    expect(['byPath', 'byName', 'other'].map(count)).toEqual([3, 4, 0])
  })

  it('follows a change for what is asked from then on', async () => {
    const { hub, passAndCheck, sent, came } = await open({ one: { after: '10m' } })
    await hub.targets.change('one', { after: null })
    await hub.raise(shipIt)
    await sent(1)
    await hub.targets.change('one', { after: '5m' })
    await hub.raise({ ...shipIt, key: 'later' })
    await hub.outbox.write()
    expect(await hub.outbox.waiting()).toBe(0)
    await passAndCheck(5 * minute)
    await sent(2)
    expect(came()).toHaveLength(2)
  })
})
