import fc from 'fast-check'
import { expect } from 'vitest'
import type { AskInput, HubApi, Outcome, Request, Settlement } from '../../src/protocol/index.ts'
import { sameDecision } from '../../src/rules/outcomes.ts'

// A request as the promises have it, in a few lines, and random histories of several clients against it. A step is
// one to three things done at the same time; what they may say is judged by who was first.

export interface World {
  /** The last event before the history that comes next. */
  cursor: number
  hubs: readonly HubApi[]
  pass(ms: number): void
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

/** What is known of the newest request of each ask. */
interface Known {
  id: string
  outcome: Outcome | null
  delivered: boolean
}

export async function runHistory(world: World, steps: History, place: string): Promise<void> {
  const known = new Map<number, Known>()
  for (const actions of steps) {
    // Time moves between steps only: a deadline against an answer is a race of its own, in the crash test.
    for (const [, act] of actions) if (act.do === 'expire') await expire(world, act.ms, known)
    const results = await Promise.all(
      actions.map(([client, act]) => perform(world.hubs[client] as HubApi, act, known, place)),
    )
    judge(actions, results, known)
  }
  world.cursor = await judgeRecord(world.hubs[0] as HubApi, world.cursor, known)
}

type Result = { request: Request } | { settlement: Settlement } | { refused: string } | null

async function perform(hub: HubApi, act: Action, known: ReadonlyMap<number, Known>, place: string): Promise<Result> {
  if (act.do === 'expire') return null
  if (act.do === 'ask') return { request: await hub.raise({ ...(asks[act.ask] as AskInput), agent: { cwd: place } }) }
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

function judge(actions: History[number], results: Result[], known: Map<number, Known>) {
  for (let ask = 0; ask < asks.length; ask += 1) {
    const mine = actions.flatMap(([, act], i) => ('ask' in act && act.ask === ask ? [{ act, result: results[i] }] : []))
    const withdrawn = mine.some(({ act }) => act.do === 'cancel')
    judgeAsks(
      mine.flatMap(({ result }) => (result && 'request' in result ? [result.request] : [])),
      withdrawn,
    )
    judgeSettling(mine, known.get(ask))
    judgeDelivery(mine, known.get(ask))
    const asked = mine.filter(({ act }) => act.do === 'ask')
    const raised = asked.map(({ result }) => (result && 'request' in result ? result.request : null))
    for (const request of raised) if (request) learn(ask, request, known)
  }

  /** Whoever asked the same at the same time got the same request; or, around a withdrawal, the old and the new one. */
  function judgeAsks(requests: Request[], withdrawn: boolean) {
    const open = new Set(requests.filter(request => request.status === 'pending').map(request => request.id))
    expect(open.size).toBeLessThanOrEqual(withdrawn ? 2 : 1)
  }
}

function judgeSettling(mine: { act: Action; result: Result | undefined }[], before: Known | undefined) {
  if (!before) return
  const tried = mine.filter(({ act }) => ['answer', 'skip', 'decline', 'cancel'].includes(act.do))
  const settlements = tried.flatMap(({ result }) => (result && 'settlement' in result ? [result.settlement] : []))
  for (const { act, result } of tried) {
    if (result && 'refused' in result) expect(result.refused).toBe('invalid')
    if (act.do === 'answer' && act.value === 'maybe' && !inWords(before, settlements)) {
      // Refused while it is open; afterwards it is merely late.
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
  judgeReplays(tried, decided)
  before.outcome = decided
}

/** The same decision again is a replay, and nothing else is. */
function judgeReplays(tried: { act: Action; result: Result | undefined }[], decided: Outcome | null) {
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

function inWords(before: Known, settlements: Settlement[]): boolean {
  const request = settlements[0]?.request
  return request?.kind === 'question' ? request.questions[0]?.options.length === 0 : before.outcome === null
}

function judgeDelivery(mine: { act: Action; result: Result | undefined }[], before: Known | undefined) {
  for (const { act, result } of mine) {
    if (act.do !== 'deliver' || !before || !result) continue
    if ('refused' in result) expect(result.refused).toBe('not_settled')
    else if ('request' in result) {
      expect(result.request.deliveredAt).not.toBeNull()
      before.delivered = true
    }
  }
}

/** A new ask is the known one as long as that is open or its answer was not taken; withdrawn, it is another. */
function learn(ask: number, request: Request, known: Map<number, Known>) {
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

async function expire({ pass, sweep, hubs }: World, ms: number, known: ReadonlyMap<number, Known>) {
  pass(ms)
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

/** What the events say must be what happened: one birth, at most one end, at most one delivery, no number missing. */
async function judgeRecord(hub: HubApi, begin: number, known: ReadonlyMap<number, Known>): Promise<number> {
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
