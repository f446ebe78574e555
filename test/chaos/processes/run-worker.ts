import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Journal, openJournal, readJournals } from '../../crash/journal.ts'
import { createRandom, type Random } from '../../crash/random.ts'
import type { ChaosEntry } from '../journal.ts'

/** The options that the driver passes to a worker. */
export interface WorkerOptions {
  /** The same after each restart. */
  name: string
  start: number
  ports: number[]
  token: string
  journals: string
  seed: number
}

export interface Reply {
  status: number
  headers: Headers
  // The tests read a few fields of whatever the hub sent.
  body: Record<string, unknown>
}

export interface WorkerContext {
  options: WorkerOptions
  random: Random
  record: Journal<ChaosEntry>
  /** What this worker recorded before it was killed. */
  earlier: ChaosEntry[]
  /** Calls one node after the other, until one of them gives a definite reply. */
  call(method: string, path: string, body?: object, seconds?: number): Promise<Reply>
  /** Aborted when the driver asks for a clean end. */
  over: AbortSignal
}

/** Sets a worker up, and runs it until the driver ends it. */
export async function runWorker(work: (context: WorkerContext) => Promise<void>): Promise<void> {
  const options: WorkerOptions = JSON.parse(process.argv[2] ?? '{}')
  const { name, start, journals, token, ports } = options
  const over = new AbortController()
  process.on('message', () => over.abort())
  // The driver has ended.
  process.on('disconnect', () => process.exit())
  flushCompileCache()
  const random = createRandom(options.seed)
  const earlier = readJournals<ChaosEntry>(journals, file => file.startsWith(`${name}-`))
  const record = openJournal<ChaosEntry>(`${journals}/${name}-${String(start).padStart(6, '0')}`)
  await work({ options, random, record, earlier, call, over: over.signal })
  process.disconnect()

  async function call(method: string, path: string, body?: object, seconds = 8): Promise<Reply> {
    for (;;) {
      const reply = await callOnce(random.pick(ports), method, path, body, seconds)
      // 429: too many at once; 5xx: the database is away.
      if (reply && reply.status < 500 && reply.status !== 429) return reply
      await sleep(50 + random.below(250))
    }
  }

  /** Null if no reply came: whether the node did anything is unknown. */
  async function callOnce(port: number, method: string, path: string, body: object | undefined, seconds: number) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(seconds * 1_000),
      })
      const document = (await response.json()) as Record<string, unknown>
      return { status: response.status, headers: response.headers, body: document }
    } catch {
      return null
    }
  }
}
