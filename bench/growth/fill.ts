import type { EventRow, RequestRow, RunRow } from '../../src/store/schema.ts'
import type { Kind } from '../databases.ts'
import { openBulk } from './bulk.ts'
import { type Patterns, storePatterns } from './patterns.ts'
import { textOf } from './texts.ts'

export interface Size {
  settled: number
  open: number
}

export interface Filled extends Patterns {
  database: string
  /** A settled request of the middle, or an open one where none is settled. */
  sample: string
}

const atOnce = 2_000
const day = 86_400_000
const [agents, projects] = [20, 50]
// One settled request in ten is the repeated question of the loop. There is a run for every twenty, and always a full page.
const [oneRepeatedIn, requestsOfRun, leastRuns] = [10, 20, 200]

/** A database with that many requests over ninety days, the open ones spread among the settled, written in bulk. */
export async function fillHistory(kind: Kind, database: string, { settled, open }: Size): Promise<Filled> {
  const patterns = await storePatterns(database)
  const bulk = await openBulk(kind, database)
  const copies = await copiesOf(patterns)
  const total = settled + open
  const until = Date.now() - 3_600_000
  let lastEvent = await bulk.lastEvent()
  let sample: string | null = null
  for (let first = 0; first < total; first += atOnce) {
    const requests: RequestRow[] = []
    const events: EventRow[] = []
    for (let n = first; n < Math.min(total, first + atOnce); n += 1) {
      const at = until - Math.floor(((total - n) / total) * 90 * day)
      const isOpen = Math.floor(((n + 1) * open) / total) > Math.floor((n * open) / total)
      const copy = isOpen ? copies.open : n % oneRepeatedIn === 0 ? copies.repeated : copies.settled
      const request = requestOf(copy.request, n, at, copy === copies.repeated)
      requests.push(request)
      for (const event of copy.events) events.push(eventOf(event, ++lastEvent, request))
      if (n >= total >> 1 && (!isOpen || settled === 0)) sample ??= request.id
    }
    await bulk.insert({ requests, events })
  }
  await insertRuns()
  await bulk.finish(lastEvent)
  return { ...patterns, database, sample: sample ?? patterns.settled }

  async function insertRuns() {
    const count = Math.max(leastRuns, Math.floor(settled / requestsOfRun))
    const runs = Array.from({ length: count }, (_, n) =>
      runOf(copies.run, n, until - Math.floor(((count - n) / count) * 90 * day)),
    )
    for (let first = 0; first < count; first += atOnce) await bulk.insert({ runs: runs.slice(first, first + atOnce) })
  }

  async function copiesOf({ open, settled, repeated, endedRun }: Patterns) {
    const copy = async (id: string) => ({ request: await bulk.request(id), events: await bulk.eventsOf(id) })
    return {
      open: await copy(open),
      settled: await copy(settled),
      repeated: await copy(repeated),
      run: await bulk.run(endedRun),
    }
  }
}

function requestOf(pattern: RequestRow, n: number, at: number, isRepeated: boolean): RequestRow {
  const copy = { ...pattern, id: idOf('req', n, at), created_at: at, ...(pattern.settled_at ? timesOf(at) : {}) }
  if (isRepeated) return copy
  const { question, context } = textOf(n)
  const body = JSON.parse(pattern.body)
  body.questions[0].question = question
  // Alike requests are of one agent and project.
  const alike = n >> 1
  const [agent_name, directory] = [`agent-${alike % agents}`, `/work/project-${alike % projects}`]
  return {
    ...copy,
    body: JSON.stringify(body),
    context,
    title: question,
    agent: JSON.stringify({ ...JSON.parse(pattern.agent), name: agent_name, cwd: directory }),
    agent_name,
    directory,
    scope: `user:me:${directory}`,
    content: `content-${String(n).padStart(14, '0')}`,
    alike: `alike-${String(alike).padStart(16, '0')}`,
    same_question: `question-${String(n % 5_000).padStart(13, '0')}`,
  }
}

function timesOf(at: number) {
  return { settled_at: at + 60_000, delivered_at: at + 61_000 }
}

function eventOf(pattern: EventRow, id: number, request: RequestRow): EventRow {
  return { ...pattern, id, at: request.created_at, request: request.id }
}

function runOf(pattern: RunRow, n: number, at: number): RunRow {
  return { ...pattern, id: idOf('run', n, at), started_at: at, ended_at: at + 600_000 }
}

// As in src/hub/ids.ts, but in order of numbers instead of at random.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function idOf(prefix: 'req' | 'run', n: number, at: number): string {
  const digits = at.toString(32).padStart(10, '0') + n.toString(32).padStart(16, '0')
  return `${prefix}_${[...digits].map(digit => alphabet[Number.parseInt(digit, 32)]).join('')}`
}
