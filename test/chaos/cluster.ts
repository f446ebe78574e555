import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { findBinaries, freePort, initialise, serverUser } from '../setup/postgres-server.ts'
import { until } from './until.ts'

export interface Cluster {
  /** Where the server that takes writes listens now. */
  readonly primary: { port: number }
  /** Ends every process of the primary at once, and starts it again on the same data. */
  kill(): Promise<void>
  /** Ends one connection's process, after which PostgreSQL restarts itself. */
  killBackend(): Promise<void>
  freeze(ms: number): Promise<void>
  /** Promotes the standby; the old primary never takes a write again. `frozen`: it hangs instead of dying. */
  failOver(frozen: boolean): Promise<void>
  stop(): void
}

interface Server {
  data: string
  port: number
  pid: number
}

/**
 * A PostgreSQL and its standby. Replication is synchronous: a commit is acknowledged when both have it, so a failover
 * may lose nothing that was acknowledged. The servers carry `env`, by which whoever cleans up finds them.
 */
export async function startCluster(folder: string, env: NodeJS.ProcessEnv): Promise<Cluster> {
  const user = serverUser()
  mkdirSync(folder)
  const binaries = await findBinaries(folder, user)
  if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  initialise(binaries, folder, user)
  let primary = await start(join(folder, 'data'), await freePort())
  await accepting(primary)
  let standby = await cloneOf(primary, 1)
  let clones = 1
  await inSync()
  return {
    get primary() {
      return { port: primary.port }
    },
    kill,
    killBackend,
    freeze,
    failOver,
    stop,
  }

  async function kill() {
    destroy(primary)
    primary = await start(primary.data, primary.port)
    await accepting(primary)
  }

  async function killBackend() {
    const victims = childrenOf(primary.pid).filter(pid => titleOf(pid).includes('127.0.0.1'))
    const victim = victims[victims.length >> 1]
    if (victim !== undefined) signal([victim], 'SIGKILL')
  }

  async function freeze(ms: number) {
    const frozen = [primary.pid, ...childrenOf(primary.pid)]
    signal(frozen, 'SIGSTOP')
    await sleep(ms)
    signal(frozen, 'SIGCONT')
  }

  async function failOver(frozen: boolean) {
    // A commit becomes visible without the standby when the primary restarts, so the standby must have caught up first.
    await inSync()
    const old = primary
    if (frozen) signal([old.pid, ...childrenOf(old.pid)], 'SIGSTOP')
    else destroy(old)
    execFileSync(join(binaries, 'pg_ctl'), ['promote', '-w', '-D', standby.data], {
      ...user,
      cwd: '/',
      stdio: 'ignore',
    })
    if (frozen) destroy(old)
    rmSync(old.data, { recursive: true })
    primary = standby
    standby = await cloneOf(primary, ++clones)
  }

  function stop() {
    for (const server of [primary, standby]) destroy(server)
  }

  async function start(data: string, port: number): Promise<Server> {
    const log = openSync(`${data}.log`, 'a')
    const child = spawn(join(binaries, 'postgres'), ['-D', data, ...settings(port)], {
      ...user,
      cwd: '/',
      env: { PATH: process.env.PATH, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    child.unref()
    if (child.pid === undefined) throw new Error('PostgreSQL cannot be started')
    return { data, port, pid: child.pid }
  }

  /** `pg_basebackup` is not part of the package that brings PostgreSQL, so this uses the functions that it is made of. */
  async function cloneOf(server: Server, number: number): Promise<Server> {
    const data = join(folder, `data-${number}`)
    const client = await connect(server)
    try {
      await client.query("select pg_backup_start('clone', true)")
      copyData(server.data, data)
      const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
      writeFileSync(join(data, 'backup_label'), String(rows[0].labelfile))
    } finally {
      await client.end()
    }
    writeFileSync(join(data, 'standby.signal'), '')
    const settings = `primary_conninfo = 'host=127.0.0.1 port=${server.port} user=postgres'\n`
    writeFileSync(join(data, 'postgresql.auto.conf'), settings)
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, data])
    return start(data, await freePort())
  }

  /** Waits until the standby has everything that the primary has now. */
  async function inSync() {
    await until('the standby has caught up', async () => {
      const client = await connect(primary)
      try {
        const { rows } = await client.query(
          `select 1 from pg_stat_replication where sync_state = 'sync' and flush_lsn >= pg_current_wal_flush_lsn()`,
        )
        return rows.length > 0
      } finally {
        await client.end()
      }
    })
  }
}

function settings(port: number): string[] {
  const all = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'synchronous_standby_names=*',
    'wal_keep_size=1GB',
    'wal_retrieve_retry_interval=100ms',
    // A killed server leaves nothing behind in /dev/shm.
    'dynamic_shared_memory_type=mmap',
  ]
  return all.flatMap(one => ['-c', one])
}

async function accepting(server: Server): Promise<void> {
  await until('PostgreSQL accepts connections', async () => {
    await (await connect(server)).end()
    return true
  })
}

async function connect({ port }: Server): Promise<Client> {
  const client = new Client({ host: '127.0.0.1', port, user: 'postgres', connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Everything but the WAL, which the standby fetches. */
function copyData(from: string, to: string): void {
  mkdirSync(to)
  const wanted = readdirSync(from).filter(name => !['pg_wal', 'postmaster.pid', 'standby.signal'].includes(name))
  try {
    execFileSync('cp', ['-a', ...wanted.map(name => join(from, name)), to], { stdio: 'ignore' })
  } catch {
    // A file may vanish while it is copied; the WAL has what happened to it.
  }
  for (const name of ['pg_wal', 'pg_wal/archive_status', 'pg_wal/summaries']) mkdirSync(join(to, name))
  chmodSync(to, 0o700)
}

/** Ends every process of a server at once, and the shared memory that it could not give back. */
function destroy({ pid, data }: Server): void {
  signal([pid], 'SIGSTOP')
  signal([...childrenOf(pid), pid], 'SIGKILL')
  try {
    const [, memory] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[6]?.trim().split(/\s+/) ?? []
    if (memory) execFileSync('ipcrm', ['-m', memory], { stdio: 'ignore' })
  } catch {
    // It had not started yet.
  }
  rmSync(join(data, 'postmaster.pid'), { force: true })
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => parentOf(pid) === parent)
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has just ended.
    }
  }
}
