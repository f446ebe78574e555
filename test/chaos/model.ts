import { existsSync, readFileSync } from 'node:fs'
import { findViolationsIn } from '../crash/invariants.ts'
import type { StoredRequest, Tables } from '../crash/tables.ts'
import type { ChaosEntry } from './journal.ts'
import type { StoredRun } from './look.ts'
import { agentLog, questionsOfAgent } from './runners.ts'
import { questionOf, textOf } from './wording.ts'

export interface Evidence {
  root: string
  tables: Tables
  runs: StoredRun[]
  journal: ChaosEntry[]
  /** What each follower saw. */
  followed: Map<string, ChaosEntry[]>
  killedAgents: Set<string>
}

type Of<It extends ChaosEntry['it']> = Extract<ChaosEntry, { it: It }>

/**
 * Compares what is stored with what the processes of the test were told, which is a model of its own: it knows nothing of
 * the hub but what was acknowledged. Describes every contradiction; empty if there is none.
 */
export function findContradictions(evidence: Evidence): string[] {
  return [
    ...findViolationsIn(evidence.tables),
    ...refusals(evidence),
    ...lostAsks(evidence),
    ...wrongAnswers(evidence),
    ...wrongOutcomes(evidence),
    ...untaken(evidence),
    ...wrongUses(evidence),
    ...wrongFollowing(evidence),
    ...evidence.runs.flatMap(run => wrongRun(run, evidence)),
  ]
}

/** Replies that no fault explains. */
function refusals({ journal }: Evidence): string[] {
  return only(journal, 'was refused').map(({ call, reply }) => `"${call}" was refused: ${reply}`)
}

/** An acknowledged ask exists, as the one that was asked, and once. */
function lostAsks({ tables, journal }: Evidence): string[] {
  const requests = byId(tables.requests)
  const keyed = only(journal, 'asked')
  const asked = [
    ...keyed.map(({ id, key }) => ({ id, key, about: questionOf(key) })),
    ...only(journal, 'asked for').map(({ id, command }) => ({ id, key: null, about: command })),
  ]
  return [
    ...asked.flatMap(({ id, key, about }) => {
      const request = requests.get(id)
      if (!request) return [`${id} was acknowledged and is gone`]
      const isIt = request.key === key && request.body.includes(JSON.stringify(about))
      return isIt ? [] : [`${id} was acknowledged for "${about}" and is ${request.body}`]
    }),
    ...[...Map.groupBy(keyed, ({ key }) => key)].flatMap(([key, entries]) =>
      new Set(entries.map(({ id }) => id)).size > 1 ? [`"${key}" was acknowledged as two requests`] : [],
    ),
  ]
}

/** An answer counts if and only if somebody gave it, for this request, and every answerer was told the same winner. */
function wrongAnswers({ tables, journal }: Evidence): string[] {
  const given = new Map(only(journal, 'answers').map(({ id, text }) => [text, id]))
  const requests = byId(tables.requests)
  return [
    ...tables.requests.flatMap(({ id, status, outcome }) => {
      if (status !== 'answered') return []
      const text = textOf(outcome) ?? ''
      return given.get(text) === id ? [] : [`${id} has the answer "${text}", which nobody gave it`]
    }),
    ...only(journal, 'answered').flatMap(({ id, won, text }) => {
      const request = requests.get(id)
      if (!request) return [`${id} was answered and is gone`]
      const stored = textOf(request.outcome)
      if (stored === text) return []
      return [`${id} holds "${stored}", and an answerer was told that "${text}" ${won ? 'won' : 'had won before'}`]
    }),
  ]
}

/** Every asker got the outcome that is stored, of its own question. */
function wrongOutcomes({ tables, journal }: Evidence): string[] {
  const requests = byId(tables.requests)
  const asked = new Map<string, string>([
    ...only(journal, 'asked').map(({ id, key }) => [id, questionOf(key)] as const),
    ...only(journal, 'asked for').map(({ id, command }) => [id, command] as const),
  ])
  return only(journal, 'got').flatMap(({ id, about, status, text }) => {
    const request = requests.get(id)
    if (!request) return [`${id} was settled and is gone`]
    if (asked.get(id) !== about) return [`the asker of "${asked.get(id)}" got the outcome of "${about}"`]
    const stored = textOf(request.outcome)
    return request.status === status && stored === text
      ? []
      : [`the asker of ${id} got ${status} "${text}", and it is ${request.status} "${stored}"`]
  })
}

/** After all faults, every asker has its outcome, and every delivery that was acknowledged is recorded. */
function untaken({ tables, journal }: Evidence): string[] {
  const requests = byId(tables.requests)
  const idOf = new Map(only(journal, 'asked').map(({ key, id }) => [key, id]))
  const delivered = new Set(only(journal, 'delivered').map(({ id }) => id))
  return [
    ...only(journal, 'asks').flatMap(({ key }) =>
      delivered.has(idOf.get(key) ?? '') ? [] : [`the asker of "${key}" never got its answer`],
    ),
    ...[...delivered].flatMap(id =>
      requests.get(id)?.deliveredAt == null ? [`${id} was delivered and does not say so`] : [],
    ),
    ...tables.requests.flatMap(({ id, status }) => (status === 'pending' ? [`${id} was never answered`] : [])),
  ]
}

/** A yes is spent once, whoever tries at the same time. */
function wrongUses({ tables, journal }: Evidence): string[] {
  const requests = byId(tables.requests)
  return [...Map.groupBy(only(journal, 'used'), ({ id }) => id)].flatMap(([id, entries]) => {
    const nonces = new Set(entries.map(({ nonce }) => nonce))
    if (nonces.size > 1) return [`${id} was spent ${nonces.size} times: ${[...nonces].join(', ')}`]
    return requests.get(id)?.usedAt == null ? [`${id} was spent and does not say so`] : []
  })
}

/** Every follower saw every event once and in order, across all of its lives. */
function wrongFollowing({ tables, followed }: Evidence): string[] {
  return [...followed].flatMap(([name, entries]) => {
    const seen = only(entries, 'saw')
    const wrong = tables.events.findIndex(({ id, type, request }, i) => {
      const entry = seen[i]
      return entry?.event !== id || entry.type !== type || entry.request !== request
    })
    if (wrong < 0 && seen.length === tables.events.length) return []
    const at = wrong < 0 ? tables.events.length : wrong
    const [expected, got] = [tables.events[at], seen[at]]
    return [`${name} saw ${got ? `${got.event} ${got.type}` : 'nothing'} instead of ${expected?.id} ${expected?.type}`]
  })
}

/** The agent read each answer once and in order, and the run says how it ended. */
function wrongRun({ id, name, status, endedAt }: StoredRun, { root, tables, killedAgents }: Evidence): string[] {
  const faults: string[] = []
  const requests = tables.requests.filter(({ run }) => run === id)
  const file = agentLog(root, name)
  const log = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const starts = log.split('start\n').slice(1)
  for (const start of starts) {
    const read = start.split('\n').filter(line => line !== '' && line !== 'end')
    const expected = requests.slice(0, read.length).map(({ outcome }, i) => `${i} ${textOf(outcome)}`)
    if (read.join('\n') !== expected.join('\n')) {
      faults.push(`its agent read ${JSON.stringify(read)}, not ${JSON.stringify(expected)}`)
    }
  }
  if (requests.length > questionsOfAgent) faults.push(`it asked ${requests.length} times, not ${questionsOfAgent}`)
  if (endedAt === null) faults.push(`it is ${status} after everything is over`)
  else if (status === 'completed' && !log.endsWith('end\n')) faults.push('it completed, and its agent did not')
  else if (status === 'completed' && requests.some(({ deliveredAt }) => deliveredAt === null)) {
    faults.push('an answer was read and never confirmed')
  } else if (status !== 'completed' && starts.length > 0 && !killedAgents.has(id)) {
    const history = tables.events
      .filter(({ run }) => run === id)
      .map(({ type, data }) => `${type} ${data.reason ?? ''}`)
    faults.push(
      `it is ${status}, and nobody killed its agent, which wrote ${JSON.stringify(log)}: ${history.join(', ')}`,
    )
  }
  return faults.map(fault => `${id} (${name}): ${fault}`)
}

function byId(requests: readonly StoredRequest[]): Map<string, StoredRequest> {
  return new Map(requests.map(request => [request.id, request]))
}

function only<It extends ChaosEntry['it']>(journal: readonly ChaosEntry[], it: It): Of<It>[] {
  return journal.filter((entry): entry is Of<It> => entry.it === it)
}
