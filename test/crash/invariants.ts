import { isDeepStrictEqual } from 'node:util'
import { type EventType, type Outcome, settled } from '../../src/protocol/index.ts'
import type { Entry } from './journal.ts'
import type { StoredEvent, StoredRequest, Tables } from './tables.ts'

export interface Evidence {
  tables: Tables
  journal: Entry[]
  /** The ids of the events that a follower from 0 received, in order. */
  followed: number[]
}

/** Describes every violated invariant; empty if there is none. */
export function findViolations(evidence: Evidence): string[] {
  return [
    ...findViolationsIn(evidence.tables),
    ...wrongFollowing(evidence),
    ...wrongSteps(evidence),
    ...contradictions(evidence),
  ]
}

/** The invariants of the stored data, which hold at every moment. */
export function findViolationsIn(tables: Tables): string[] {
  return [
    ...wrongFile(tables),
    ...wrongNumbers(tables),
    ...wrongHistories(tables),
    ...wrongDeadlines(tables),
    ...wrongReminders(tables),
    ...wrongKeys(tables),
    ...wrongJoins(tables),
    ...wrongSeals(tables),
  ]
}

const settlingTypes: readonly string[] = settled.map(status => `request.${status}`)

function wrongFile(tables: Tables): string[] {
  return tables.integrity === 'ok' ? [] : [`the database is damaged: ${tables.integrity}`]
}

/** Event ids are 1, 2, 3 … up to the counter, without a gap or a duplicate. */
function wrongNumbers(tables: Tables): string[] {
  const wrong = tables.events.findIndex((event, i) => event.id !== i + 1)
  return [
    ...(wrong < 0 ? [] : [`event ${tables.events[wrong]?.id} stands where ${wrong + 1} should be`]),
    ...(tables.lastEvent === tables.events.length
      ? []
      : [`the counter says ${tables.lastEvent}, there are ${tables.events.length} events`]),
  ]
}

function wrongFollowing({ tables, followed }: Evidence): string[] {
  const wrong = tables.events.findIndex((event, i) => followed[i] !== event.id)
  return [
    ...(wrong < 0 ? [] : [`the follower saw ${followed[wrong]} instead of event ${tables.events[wrong]?.id}`]),
    ...(followed.length > tables.events.length ? ['the follower saw more events than there are'] : []),
  ]
}

/** A request is created once, and settled, delivered and used at most once, as its row says. */
function wrongHistories(tables: Tables): string[] {
  const histories = Map.groupBy(tables.events, event => event.request)
  const known = new Set(tables.requests.map(request => request.id))
  const unknownIds = [...histories.keys()].filter(id => id !== null && !known.has(id))
  return [
    ...unknownIds.map(id => `there are events of ${id}, which does not exist`),
    ...tables.requests.flatMap(request => wrongHistory(request, histories.get(request.id) ?? [])),
  ]
}

function wrongHistory(request: StoredRequest, history: StoredEvent[]): string[] {
  const count = (type: EventType) => history.filter(event => event.type === type).length
  const settlings = history.map(event => event.type).filter(type => settlingTypes.includes(type))
  const expected = request.status === 'pending' ? [] : [`request.${request.status}`]
  const faults: string[] = []
  if (history[0]?.type !== 'request.created' || count('request.created') !== 1) faults.push('was not created once')
  if (!isDeepStrictEqual(settlings, expected)) faults.push(`is ${request.status} and has the events [${settlings}]`)
  if ((request.outcome?.status ?? 'pending') !== request.status) faults.push('has an outcome of another status')
  if ((request.settledAt === null) !== (request.status === 'pending')) faults.push('has a wrong time of settling')
  if (count('request.delivered') !== Number(request.deliveredAt !== null)) faults.push('is not delivered as it says')
  if (count('request.used') !== Number(request.usedAt !== null)) faults.push('is not used as it says')
  return faults.map(fault => `${request.id} ${fault}`)
}

/** A deadline fires at its time or later, by the asker's policy, and only once. */
function wrongDeadlines(tables: Tables): string[] {
  return tables.requests.flatMap(({ id, status, settledAt, deadline, due, outcome }) => {
    const faults: string[] = []
    if (status !== 'pending' && due !== null) faults.push(`${id} is settled and still due`)
    if (status !== 'defaulted' && status !== 'expired') return faults
    if (settledAt === null || deadline === null || settledAt < deadline) faults.push(`${id} fired before its deadline`)
    if (outcome?.channel !== 'policy') faults.push(`${id} is ${status} by ${outcome?.channel}`)
    if (status === 'defaulted' && outcome?.answers[0]?.text !== 'fallback') faults.push(`${id} lost its default`)
    return faults
  })
}

function wrongReminders(tables: Tables): string[] {
  const reminders = tables.events.filter(event => event.type === 'request.reminded')
  return [...Map.groupBy(reminders, event => event.request)].flatMap(([id, events]) => {
    const nexts = events.map(event => String(event.data.next))
    return isDeepStrictEqual(nexts, [...new Set(nexts)].sort()) ? [] : [`${id} was reminded of twice at the same time`]
  })
}

function wrongKeys(tables: Tables): string[] {
  const keyed = tables.requests.filter(request => request.key !== null)
  return [...Map.groupBy(keyed, ({ scope, key }) => `${scope} ${key}`)]
    .filter(([, requests]) => requests.length > 1)
    .map(([key, requests]) => `${key} is the key of ${requests.length} requests`)
}

/**
 * Without a key and a run, the same ask is a new request only after the earlier one was delivered or cancelled. Approvals
 * never join.
 */
function wrongJoins(tables: Tables): string[] {
  const numberOf = new Map(tables.events.map(event => [`${event.request} ${event.type}`, event.id]))
  const created = ({ id }: StoredRequest) => numberOf.get(`${id} request.created`) ?? 0
  const over = ({ id }: StoredRequest) =>
    Math.min(...['delivered', 'cancelled'].map(type => numberOf.get(`${id} request.${type}`) ?? Infinity))
  const loose = tables.requests.filter(({ key, run, kind }) => key === null && run === null && kind !== 'approval')
  return [...Map.groupBy(loose, ({ scope, content }) => `${scope} ${content}`).values()].flatMap(same => {
    const inOrder = same.toSorted((a, b) => created(a) - created(b))
    return inOrder.flatMap((request, i) => {
      const before = inOrder[i - 1]
      return before && over(before) > created(request) ? [`${request.id} should have joined ${before.id}`] : []
    })
  })
}

/** A restarted run gets its earlier requests again, in order. */
function wrongSteps({ journal }: Evidence): string[] {
  const steps = journal.filter(entry => entry.result === 'step')
  return [...Map.groupBy(steps, ({ run, question, n }) => `${run}: ${question} for the ${n + 1}. time`)].flatMap(
    ([step, entries]) => (new Set(entries.map(entry => entry.id)).size > 1 ? [`${step} was two requests`] : []),
  )
}

/** A sealed value exists from its answer until its use. */
function wrongSeals(tables: Tables): string[] {
  const sealed = new Set(tables.sealed)
  return tables.requests.flatMap(({ id, kind, status, usedAt }) => {
    const expected = kind === 'dependency' && status === 'answered' && usedAt === null
    return expected === sealed.has(id) ? [] : [`${id} is ${status} and ${expected ? 'has lost its' : 'has a'} value`]
  })
}

/** Every result that a worker received is still true. */
function contradictions({ tables, journal }: Evidence): string[] {
  const requests = new Map(tables.requests.map(request => [request.id, request]))
  const winners = Map.groupBy(
    journal.filter(entry => entry.result === 'settled' && entry.won),
    entry => ('id' in entry ? entry.id : ''),
  )
  const users = Map.groupBy(
    journal.filter(entry => entry.result === 'used'),
    entry => entry.id,
  )
  return [
    ...[...winners].flatMap(([id, entries]) =>
      entries.length > 1 ? [`${entries.length} were told they won ${id}`] : [],
    ),
    ...[...users].flatMap(([id, entries]) => (entries.length > 1 ? [`${entries.length} were given ${id} to use`] : [])),
    ...journal.flatMap(entry => {
      if (entry.result === 'running') return []
      const request = requests.get(entry.id)
      return request ? contradiction(entry, request) : [`${entry.id} was ${entry.result} and is gone`]
    }),
  ]
}

function contradiction(entry: Exclude<Entry, { result: 'running' }>, request: StoredRequest): string[] {
  const { id } = request
  const same = (outcome: Outcome | null) => isDeepStrictEqual(outcome, request.outcome)
  switch (entry.result) {
    case 'raised':
      return entry.key === request.key ? [] : [`${id} was raised with another key`]
    case 'step':
      return entry.run === request.run ? [] : [`${id} is of another run`]
    case 'settled':
      if (!same(entry.outcome)) return [`${id} is not settled as ${entry.mine} was told`]
      return entry.won && decisionOf(request.outcome) !== entry.mine
        ? [`${id} does not hold what ${entry.mine} won`]
        : []
    case 'resumed':
      return same(entry.outcome) ? [] : [`${id} is not settled as its asker was told`]
    case 'delivered':
      return request.deliveredAt === null ? [`${id} was delivered and does not say so`] : []
    case 'used':
      return entry.value === `secret of ${id}` && request.usedAt !== null ? [] : [`${id} was used with another value`]
  }
}

/** The text that identifies the answerer. */
function decisionOf(outcome: Outcome | null): string | null {
  if (outcome?.status === 'answered') return outcome.answers[0]?.text ?? outcome.note
  return outcome?.note ?? outcome?.reason ?? null
}
