import { nextTick } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { BeckonError } from '../../protocol/index.ts'
import { type Connection, ConnectionLost } from '../connection.ts'
import { batchLookups } from './batch-lookups.ts'
import { shareStatements } from './batches.ts'
import { translatePostgresError, unreachable } from './errors.ts'
import { cut, type Limits, type Liveness, streamOf, usualLimits, watchLiveness } from './liveness.ts'

const int8 = 20
const connectTimeout = 10_000
const reconnectFor = 30_000
// A server that starts, or has no free connection for a moment, is given this long even at the first attempt.
const startingFor = 5_000
const goodbye = 1_000

// A transaction of a node that hangs must not keep its locks; and the server looks whether we are still there. All that we
// look for has an index. Without this, a statement that was planned for an empty table would go on reading the whole of it,
// until autovacuum has looked at the table.
const sessionSql = `select pg_backend_pid() as backend, set_config('idle_in_transaction_session_timeout', '10s', false),
  set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '5', false),
  set_config('tcp_keepalives_count', '3', false), set_config('enable_seqscan', 'off', false)`
const timelineSql = `select case when pg_is_in_recovery() then ''
  else substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) end as timeline`

/**
 * A connection that reconnects: it opens when it is first needed, and again after it broke. Statements are prepared by
 * name and sent without waiting for the ones before them.
 */
export class PostgresConnection implements Connection {
  readonly #url: string
  readonly #onConnect: (client: pg.Client) => Promise<void>
  readonly #limits: Limits
  readonly #liveness = new WeakMap<pg.Client, Liveness>()
  readonly #timelines = new WeakMap<pg.Client, string>()
  readonly #names = new Map<string, string>()
  readonly byId = batchLookups((sql, values) => this.rows(sql, values))
  readonly batched = shareStatements((sql, values) => this.rows(sql, values))
  #client: Promise<pg.Client> | null = null
  #corked: pg.Client | null = null
  #current: pg.Client | null = null
  #everConnected = false
  #closed = false
  #reconnects = true

  constructor(url: string, onConnect: (client: pg.Client) => Promise<void>, limits = usualLimits) {
    this.#url = url
    this.#onConnect = onConnect
    this.#limits = limits
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
    const stream = streamOf(client)
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

  /** Which history of the server this client is connected to: a standby that takes over begins a new one. */
  timelineOf(client: pg.Client): string | undefined {
    return this.#timelines.get(client)
  }

  /** Gives this client up; the next use opens a new one. */
  drop(client: pg.Client): void {
    this.#lost(client)
  }

  stopReconnecting(): void {
    this.#reconnects = false
  }

  async close(): Promise<void> {
    this.#closed = true
    const client = this.#client
    this.#client = null
    this.#current = null
    await client?.then(end).catch(() => {})
  }

  /** The first attempt must succeed, so that a wrong address is reported; after a loss it keeps trying for a while. */
  async #connect(): Promise<pg.Client> {
    const begun = performance.now()
    for (let tries = 0; ; tries += 1) {
      try {
        const client = await this.#tryConnect()
        this.#everConnected = true
        return client
      } catch (error) {
        const translated = translatePostgresError(error)
        if (!(translated instanceof ConnectionLost)) throw translated
        const patience = this.#everConnected ? reconnectFor : translated.isTemporary ? startingFor : 0
        if (!this.#reconnects || this.#closed || performance.now() - begun >= patience) throw unreachable(translated)
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
    const liveness = watchLiveness(client, this.#url, this.#limits)
    client.on('end', liveness.stop)
    this.#liveness.set(client, liveness)
    try {
      const [{ rows }, timeline] = await Promise.all([client.query(sessionSql), readTimeline(client)])
      liveness.backend = rows[0]?.backend ?? null
      this.#timelines.set(client, timeline)
      // Migrations take as long as they take.
      await this.#onConnect(client)
      await client.query(`set statement_timeout = ${this.#limits.statement}`)
      liveness.patience = this.#limits.statement
      this.#current = client
      return client
    } catch (error) {
      await end(client)
      throw error
    }
  }

  /** A client that failed once is not used again, whether or not it has noticed that it is disconnected. */
  #lost(client: pg.Client) {
    if (this.#current !== client) return
    void end(client)
    this.#current = null
    this.#client = null
  }

  #name(sql: string): string {
    const name = this.#names.get(sql) ?? `beckon_${this.#names.size}`
    this.#names.set(sql, name)
    return name
  }
}

/** Empty on a standby, and where the server does not say: Amazon Aurora refuses the question. */
async function readTimeline(client: pg.Client): Promise<string> {
  try {
    const { rows } = await client.query(timelineSql)
    return rows[0]?.timeline ?? ''
  } catch (error) {
    if (translatePostgresError(error) instanceof ConnectionLost) throw error
    return ''
  }
}

/** Says goodbye, but does not wait for a server that does not answer. */
async function end(client: pg.Client): Promise<void> {
  const timer = setTimeout(cut, goodbye, client)
  await client.end().catch(() => {})
  clearTimeout(timer)
}
