import type { Socket } from 'node:net'
import { nextTick } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BeckonError } from '../../protocol/index.ts'
import { type Connection, ConnectionLost } from '../connection.ts'
import { batchLookups } from './batch-lookups.ts'
import { translatePostgresError } from './errors.ts'

const int8 = 20
const connectTimeout = 10_000
const reconnectFor = 30_000

/**
 * A connection that reconnects: it opens when it is first needed, and again after it broke. Statements are prepared by
 * name and sent without waiting for the ones before them.
 */
export class PostgresConnection implements Connection {
  readonly #url: string
  readonly #onConnect: (client: pg.Client) => Promise<void>
  readonly #names = new Map<string, string>()
  readonly byId = batchLookups((sql, values) => this.rows(sql, values))
  #client: Promise<pg.Client> | null = null
  #corked: pg.Client | null = null
  #current: pg.Client | null = null
  #everConnected = false
  #closed = false

  constructor(url: string, onConnect: (client: pg.Client) => Promise<void>) {
    this.#url = url
    this.#onConnect = onConnect
  }

  async rows<Row>(sql: string, values: readonly unknown[]): Promise<Row[]> {
    return this.rowsOn<Row>(await this.client(), sql, values)
  }

  /** Runs on this client and sends before it returns: statements arrive in the order of the calls. */
  async rowsOn<Row>(client: pg.Client, sql: string, values: readonly unknown[]): Promise<Row[]> {
    this.sendTogether(client)
    try {
      const { rows } = await client.query({ name: this.#name(sql), text: sql, values: values as unknown[] })
      return rows
    } catch (error) {
      const translated = translatePostgresError(error)
      if (translated instanceof ConnectionLost) this.#lost(client)
      throw translated
    }
  }

  /** Everything that is sent in this turn of the event loop leaves in one write, and the server works through it in one go. */
  sendTogether(client: pg.Client): void {
    if (this.#corked === client) return
    const { stream } = (client as pg.Client & { connection: { stream: Socket } }).connection
    this.#corked = client
    stream.cork()
    // Two ticks, so that lookups that were batched until the next tick come along.
    nextTick(nextTick, () => {
      this.#corked = null
      stream.uncork()
    })
  }

  client(): Promise<pg.Client> {
    if (this.#closed) return Promise.reject(new BeckonError('closed', 'The hub was closed.'))
    if (!this.#client) {
      const connecting = this.#connect()
      this.#client = connecting
      connecting.catch(() => {
        if (this.#client === connecting) this.#client = null
      })
    }
    return this.#client
  }

  /** The id of the server process at the other end. */
  get processId(): number | null {
    return this.#current ? ((this.#current as pg.Client & { processID: number }).processID ?? null) : null
  }

  /** Gives this client up; the next use opens a new one. */
  drop(client: pg.Client): void {
    this.#lost(client)
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = null
    this.#current = null
    await client?.then(open => open.end()).catch(() => {})
  }

  /** The first attempt must succeed, so that a wrong address is reported; after a loss it keeps trying for a while. */
  async #connect(): Promise<pg.Client> {
    const giveUpAt = performance.now() + reconnectFor
    for (let tries = 0; ; tries += 1) {
      try {
        const client = await this.#tryConnect()
        this.#everConnected = true
        return client
      } catch (error) {
        const translated = translatePostgresError(error)
        const again = this.#everConnected && !this.#closed && performance.now() < giveUpAt
        if (!(translated instanceof ConnectionLost)) throw translated
        if (!again) throw unreachable(translated)
        await sleep(Math.random() * Math.min(50 * 2 ** tries, 2_000))
      }
    }
  }

  async #tryConnect(): Promise<pg.Client> {
    const types = new pg.TypeOverrides()
    types.setTypeParser(int8, Number)
    const config = {
      connectionString: this.#url,
      connectionTimeoutMillis: connectTimeout,
      keepAlive: true,
      pipeline: true,
    }
    const client = new pg.Client({ ...config, types, application_name: 'beckon' })
    client.on('error', () => this.#lost(client))
    client.on('end', () => this.#lost(client))
    await client.connect()
    try {
      await this.#onConnect(client)
      this.#current = client
      return client
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
  }

  /** A client that failed once is not used again, whether or not it has noticed that it is disconnected. */
  #lost(client: pg.Client) {
    if (this.#current !== client) return
    client.end().catch(() => {})
    this.#current = null
    this.#client = null
  }

  #name(sql: string): string {
    const name = this.#names.get(sql) ?? `beckon_${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}

function unreachable(cause: ConnectionLost): BeckonError {
  const reason = cause.cause instanceof Error ? cause.cause : cause
  const detail = 'code' in reason && typeof reason.code === 'string' ? reason.code : 'no connection'
  return new BeckonError(
    'unreachable',
    `PostgreSQL cannot be reached (${detail}). Check BECKON_DB and that the server is running.`,
    null,
    cause,
  )
}
