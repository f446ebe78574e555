import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Hub, openHub } from '../../src/index.ts'
import { openTestHub, type TestHub } from '../../src/testing/index.ts'
import { temporaryFolder, testKey } from '../setup/databases.ts'

// Whatever a program does, the hub for tests does about it what the hub on a file does: a test that passes with one must
// not fail in production.

let test: TestHub
let real: Hub

beforeAll(async () => {
  const folder = temporaryFolder()
  const env = { BECKON_HOME: folder, BECKON_KEY: testKey }
  const caller = { agent: 'test', user: 'asker', directory: process.cwd() }
  test = await openTestHub({ env })
  real = await openHub({ database: join(folder, 'beckon.db'), env, caller, channel: 'test', sweeps: false })
})

afterAll(() => Promise.all([test.close(), real.close()]))

/** What a program does: the verb, and which of its requests it means. */
type Step = { of: number } & (
  | { does: 'ask'; what: number; key: string | null; takeUp: boolean }
  | { does: 'answer'; value: string }
  | { does: 'skip' | 'decline' | 'cancel' | 'use' | 'confirmDelivery' | 'get' | 'send' | 'earlier' }
)

const of = fc.nat({ max: 3 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      of,
      does: fc.constant('ask'),
      what: fc.nat({ max: 6 }),
      key: fc.option(fc.constantFrom('a', 'b')),
      takeUp: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      of,
      does: fc.constant('answer'),
      value: fc.constantFrom('yes', 'no', '1', '', 'approve', 'sk-0123456789'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      of,
      does: fc.constantFrom('skip', 'decline', 'cancel', 'use', 'confirmDelivery', 'get', 'send', 'earlier'),
    }),
  },
) as fc.Arbitrary<Step>

it('does what the hub on a file does', { timeout: 60_000 }, async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async steps => {
      run += 1
      const [inTest, inFile] = await Promise.all([play(test.hub, steps, run), play(real, steps, run)])
      expect(inTest).toEqual(inFile)
    }),
    { numRuns: 60 },
  )
})

/** What came of each step, without ids and times. */
async function play(hub: Hub, steps: Step[], run: number): Promise<unknown[]> {
  const ids: string[] = []
  const results: unknown[] = []
  for (const each of steps) results.push(await take(each).catch(({ code, message }) => [code, hideIds(message)]))
  return results

  async function take(each: Step): Promise<unknown> {
    const id = ids[each.of] ?? ids.at(-1) ?? 'req_none'
    switch (each.does) {
      case 'ask': {
        const raised = await hub.raise(asks(run, each)[each.what] as never)
        if (!ids.includes(raised.id)) ids.push(raised.id)
        return [ids.indexOf(raised.id), raised.status]
      }
      case 'answer':
        return settled(await hub.answer(id, { value: each.value, by: 'mina' }))
      case 'skip':
      case 'decline':
      case 'cancel':
        return settled(await hub[each.does](id))
      case 'use':
        return (await hub.use(id)).value
      case 'confirmDelivery':
        return (await hub.confirmDelivery(id)).deliveredAt !== null
      case 'get':
        return hub.get(id).then(({ status, outcome }) => [status, outcome?.value])
      case 'send':
        return (await hub.messages.send(id, { text: 'Why?' })).messages.length
      case 'earlier':
        return (await hub.earlier(id)).earlier.length
    }
  }
}

function asks(run: number, { key, takeUp }: Step & { does: 'ask' }): object[] {
  const keyed = key === null ? {} : { key: `${key}${run}` }
  const action = { command: `git push --force origin ${run}`, cwd: '/srv' }
  return [
    { question: `Ship ${run}?`, options: ['yes', 'no'], ...keyed },
    { question: `Ship ${run}?`, options: ['yes', 'no'], required: false, default: 'no', canReply: true, ...keyed },
    { question: `Ship ${run}?`, options: ['yes', 'yes'] },
    { kind: 'approval', action, takeUp, ...keyed },
    { kind: 'approval', action: { ...action, severity: 'critical' }, ...keyed },
    { kind: 'dependency', type: 'api_key', name: `KEY_${run}`, description: 'To pay', ...keyed },
    { kind: 'review', title: `Phase ${run}`, callbackUrl: key === null ? null : 'https://example.com/', ...keyed },
  ]
}

function settled({ won, replay, request: { status, outcome } }: Awaited<ReturnType<Hub['skip']>>): unknown {
  return [won, replay, status, outcome?.value, outcome?.by]
}

function hideIds(message: string): string {
  // Each names its own channel.
  return message
    .replaceAll(/req_\w+/g, 'ID')
    .replace(/\((?:sdk|test)\)/, '(CHANNEL)')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}
