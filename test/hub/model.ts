import fc from 'fast-check'
import { expect } from 'vitest'
import type { AskInput, HubApi, Outcome, Request, Settlement } from '../../src/protocol/index.ts'
import { sameDecision } from '../../src/rules/outcomes.ts'

// A small model of a request, and random histories of several clients that are checked against it. A step is one to
// three concurrent actions; which results are allowed depends on which action came first.

export interface World {
  /** The last event before the next history. */
  cursor: number
  hubs: readonly HubApi[]
  advance(ms: number): void
  sweep(): Promise<unknown>
}

const timeout = 1_000
const asks = [
  { questions: [{ question: 'Required?', options: ['yes', 'no'] }] },
  { questions: [{ question: 'Optional?', options: ['yes', 'no'], default: 'no' }], required: false, timeout },
  { questions: [{ question: 'In words?' }], timeout, onTimeout: 'fail' },
  { questions: [{ question: 'Keyed?', options: ['yes', 'no'] }], key: 'k' },
] satisfies AskInput[]

const action = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), ask: fc.nat(asks.length - 1) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('answer' as const, 'answer' as const, 'skip' as const, 'decline' as const, 'cancel' as const),
      ask: fc.nat(asks.length - 1),
      value: fc.constantFrom('yes', 'no', '1', 'maybe', ''),
      note: fc.constantFrom(null, 'because'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const), ask: fc.nat(asks.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), ms: fc.constantFrom(500, 1_500, 4_000) }) },
)
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

const step = fc.array(fc.tuple(fc.nat(2), action), { minLength: 1, maxLength: 3 })
export const history = fc.array(step, { minLength: 1, maxLength: 12 })
export type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** The expected state of the newest request of each ask. */
interface Known {
  id: string
  outcome: Outcome | null
  delivered: boolean
}

export async function runHistory(world: World, steps: History, cwd: string): Promise<void> {
  const known = new Map<number, Known>()
  for (const actions of steps) {
    // Time moves only between steps: the race of a deadline against an answer is part of the crash test.
    for (const [, act] of actions) if (act.do === 'expire') await expire(world, act.ms, known)
    const results = await Promise.all(
      actions.map(([client, act]) => perform(world.hubs[client] as HubApi, act, known, cwd)),
    )
    checkResults(actions, results, known)
  }
  world.cursor = await checkEvents(world.hubs[0] as HubApi, world.cursor, known)
}

type Result = { request: Request } | { settlement: Settlement } | { refused: string } | null

async function perform(hub: HubApi, act: Action, known: ReadonlyMap<number, Known>, cwd: string): Promise<Result> {
  if (act.do === 'expire') return null
  if (act.do === 'ask') return { request: await hub.raise({ ...(asks[act.ask] as AskInput), agent: { cwd } }) }
  const id = known.get(act.ask)?.id
  if (!id) return null
  try {
    if (act.do === 'deliver') return { request: await hub.confirmDelivery(id) }
    if (act.do === 'answer') return { settlement: await hub.answer(id, { value: act.value, note: act.note }) }
    if (act.do === 'skip') return { settlement: await hub.skip(id, { note: act.note }) }
    const reason = act.value
    return { settlement: await hub[act.do](id, { reason, note: act.note }) }
  } catch (error) {
    return { refused: (error as { code: string }).code }
  }
}

function checkResults(actions: History[number], results: Result[], known: Map<number, Known>) {
  for (let ask = 0; ask < asks.length; ask += 1) {
    const mine = actions.flatMap(([, act], i) => ('ask' in act && act.ask === ask ? [{ act, result: results[i] }] : []))
    const withdrawn = mine.some(({ act }) => act.do === 'cancel')
    checkAsks(
      mine.flatMap(({ result }) => (result && 'request' in result ? [result.request] : [])),
      withdrawn,
    )
    checkSettlements(mine, known.get(ask))
    checkDelivery(mine, known.get(ask))
    const asked = mine.filter(({ act }) => act.do === 'ask')
    const raised = asked.flatMap(({ result }) => (result && 'request' in result ? [result.request] : []))
    // Beside a cancel, one of two asks may join the old request and the other raise a new one: oldest first.
    for (const request of raised.toSorted((a, b) => (a.id < b.id ? -1 : 1))) updateKnown(ask, request, known)
  }

  /** Concurrent identical asks get the same request; with a concurrent cancel, the old or the new one. */
  function checkAsks(requests: Request[], withdrawn: boolean) {
    const open = new Set(requests.filter(request => request.status === 'pending').map(request => request.id))
    expect(open.size).toBeLessThanOrEqual(withdrawn ? 2 : 1)
  }
}

function checkSettlements(mine: { act: Action; result: Result | undefined }[], before: Known | undefined) {
  if (!before) return
  const tried = mine.filter(({ act }) => ['answer', 'skip', 'decline', 'cancel'].includes(act.do))
  const settlements = tried.flatMap(({ result }) => (result && 'settlement' in result ? [result.settlement] : []))
  for (const { act, result } of tried) {
    if (result && 'refused' in result) expect(result.refused).toBe('invalid')
    // Optional or not: an empty answer to options is not an answer.
    const isNoOption = act.do === 'answer' && ['maybe', ''].includes(act.value)
    if (isNoOption && !isFreeText(before, settlements)) {
      // Refused while the request is pending; afterwards it is merely late.
      if (result && 'settlement' in result) expect(result.settlement).toMatchObject({ won: false, replay: false })
      else expect(result).toEqual({ refused: 'invalid' })
    }
  }
  const winners = settlements.filter(settlement => settlement.won)
  expect(winners.length).toBe(before.outcome === null && settlements.length > 0 ? 1 : 0)
  const decided = before.outcome ?? winners[0]?.request.outcome ?? null
  for (const settlement of settlements) {
    expect(settlement.request.outcome).toEqual(decided)
    expect(settlement.won && settlement.replay).toBe(false)
  }
  checkReplays(tried, decided)
  before.outcome = decided
}

/** Only the same decision again is a replay. */
function checkReplays(tried: { act: Action; result: Result | undefined }[], decided: Outcome | null) {
  for (const { act, result } of tried) {
    if (!decided || !result || !('settlement' in result) || result.settlement.won) continue
    const meant = decisionOf(act, decided)
    expect(result.settlement.replay).toBe(meant !== null && sameDecision(meant, decided))
  }
}

function decisionOf(act: Action, like: Outcome): Outcome | null {
  if (act.do === 'answer') {
    const answer = act.value === '1' ? 'yes' : act.value
    const asText = like.answers[0]?.text !== null
    const given = asText ? { selected: [], text: act.value } : { selected: [answer], text: null }
    return { ...like, status: 'answered', answers: [{ id: 'q1', ...given, note: null }], note: act.note, reason: null }
  }
  if (act.do === 'skip') {
    return {
      ...like,
      status: 'skipped',
      answers: [{ id: 'q1', selected: ['no'], text: null, note: null }],
      note: act.note,
      reason: null,
    }
  }
  if (act.do === 'decline' || act.do === 'cancel') {
    const status = act.do === 'decline' ? 'declined' : 'cancelled'
    return { ...like, status, answers: [], note: act.note, reason: act.value || null }
  }
  return null
}

function isFreeText(before: Known, settlements: Settlement[]): boolean {
  const request = settlements[0]?.request
  return request?.kind === 'question' ? request.questions[0]?.options.length === 0 : before.outcome === null
}

function checkDelivery(mine: { act: Action; result: Result | undefined }[], before: Known | undefined) {
  for (const { act, result } of mine) {
    if (act.do !== 'deliver' || !before || !result) continue
    if ('refused' in result) expect(result.refused).toBe('not_settled')
    else if ('request' in result) {
      expect(result.request.deliveredAt).not.toBeNull()
      before.delivered = true
    }
  }
}

/** An ask joins the known request until that is delivered or cancelled. */
function updateKnown(ask: number, request: Request, known: Map<number, Known>) {
  const before = known.get(ask)
  const keyed = ask === 3
  if (before && before.id !== request.id) {
    expect(keyed).toBe(false)
    expect(before.delivered || before.outcome?.status === 'cancelled').toBe(true)
  }
  if (!before || before.id !== request.id) {
    expect(request.status).toBe('pending')
    known.set(ask, { id: request.id, outcome: null, delivered: false })
  }
}

async function expire({ advance, sweep, hubs }: World, ms: number, known: ReadonlyMap<number, Known>) {
  advance(ms)
  await Promise.all([sweep(), sweep()])
  for (const [ask, request] of known) {
    const now = await (hubs[1] as HubApi).get(request.id)
    if (request.outcome) expect(now.outcome).toEqual(request.outcome)
    else if (now.outcome) {
      expect(now.outcome.status).toBe(ask === 1 ? 'defaulted' : 'expired')
      expect([1, 2]).toContain(ask)
      request.outcome = now.outcome
    }
  }
}

/** The events match the results: created once, settled and delivered at most once, no id missing. */
async function checkEvents(hub: HubApi, begin: number, known: ReadonlyMap<number, Known>): Promise<number> {
  const events = await hub.events({ since: begin, limit: 1_000 })
  expect(events.map(event => event.id)).toEqual(events.map((_, i) => begin + 1 + i))
  for (const { id, outcome, delivered } of known.values()) {
    const mine = events.filter(event => event.request === id).map(event => event.type)
    const ends = mine.filter(type => !['request.created', 'request.delivered', 'request.reminded'].includes(type))
    expect(mine.filter(type => type === 'request.created')).toHaveLength(1)
    expect(ends).toEqual(outcome ? [`request.${outcome.status}`] : [])
    expect(mine.filter(type => type === 'request.delivered')).toHaveLength(delivered ? 1 : 0)
    expect((await hub.get(id)).outcome).toEqual(outcome)
  }
  return begin + events.length
}
