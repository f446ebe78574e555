import type { Socket } from 'node:net'
import pg from 'pg'

/** How long silence is tolerated, in milliseconds. */
export interface Limits {
  /** Between two looks at the connection. */
  look: number
  /** A server that a connection has not heard from for so long is asked for a sign of life. */
  silence: number
  /** How long it has to answer: to that, to another connection that checks it, and to a statement. */
  answer: number
  check: number
  statement: number
}

export const usualLimits: Limits = {
  look: 1_000,
  silence: 3_000,
  answer: 3_000,
  check: 5_000,
  statement: 30_000,
}

export interface Liveness {
  /** The server process at the other end, once it is known. */
  backend: number | null
  /** Longer than this, no statement may take. */
  patience: number
  stop(): void
}

/**
 * Cuts a connection whose server went silent: packets that are dropped on the way never become an error. A connection
 * that has heard nothing for a while sends an empty query. If that stays unanswered, another connection asks the server
 * whether it still works on a statement of this one; if not, or if it does not answer either, the connection is dead.
 */
export function watchLiveness(client: pg.Client, url: string, limits: Limits): Liveness {
  const { look, silence, answer, check: checkTimeout } = limits
  const liveness: Liveness = { backend: null, patience: Number.POSITIVE_INFINITY, stop }
  let heard = -1
  // Counted in looks: a process that was stopped for a while has not given the server a chance to answer meanwhile.
  let silentFor = 0
  let asked = false
  let checking = false
  const timer = setInterval(check, look).unref()
  return liveness

  function check() {
    const { bytesRead } = streamOf(client)
    if (bytesRead !== heard) {
      heard = bytesRead
      silentFor = 0
      asked = false
      return
    }
    silentFor += look
    if (silentFor >= silence && !asked) {
      asked = true
      client.query('').catch(() => {})
    }
    if (silentFor >= liveness.patience + answer) return cut(client)
    if (silentFor >= silence + answer && !checking) void checkFromOutside()
  }

  async function checkFromOutside() {
    checking = true
    const backend = liveness.backend ?? (client as pg.Client & { processID: number | null }).processID
    const works = await isWorking(url, backend, checkTimeout)
    checking = false
    if (!works && streamOf(client).bytesRead === heard) cut(client)
  }

  function stop() {
    clearInterval(timer)
  }
}

/** Whether the server process is busy with a statement. A server that is full cannot be asked; then it is given time. */
async function isWorking(url: string, backend: number | null, timeout: number): Promise<boolean> {
  const options = { connectionTimeoutMillis: timeout, query_timeout: timeout, application_name: 'beckon' }
  const client = new pg.Client({ connectionString: url, ...options })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query('select state from pg_stat_activity where pid = $1', [backend])
    // 'disabled' where the server does not track what its processes do.
    return ['active', 'disabled'].includes(rows[0]?.state)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === '53300'
  } finally {
    streamOf(client).destroy()
  }
}

/** Ends a connection at once; what waits for an answer on it fails. */
export function cut(client: pg.Client): void {
  streamOf(client).destroy(new Error('The connection was cut: PostgreSQL stopped answering'))
}

export function streamOf(client: pg.Client): Socket {
  return (client as pg.Client & { connection: { stream: Socket } }).connection.stream
}
