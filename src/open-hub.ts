import { randomBytes } from 'node:crypto'
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import type { Outage } from './client/outage.ts'
import type { Caller } from './hub/caller.ts'
import { createHub, type Hub } from './hub/hub.ts'
import type { PreparePairing } from './hub/pairings.ts'
import { createSealing, type Sealing } from './hub/sealing.ts'
import type { SendTest } from './hub/targets.ts'
import type { Sleep } from './hub/waiters.ts'
import { BeckonError, type HubApi, type Request } from './protocol/index.ts'
import type { FileKind } from './rules/dependency-value.ts'
import { keyLength, loadKey } from './secrets/key.ts'
import { type KeyedHash, loadKeyedHash } from './secrets/keyed-hash.ts'
import { createSealer } from './secrets/seal.ts'
import { isInMemory, isPostgres, openStore } from './store/open.ts'
import { makeFolder } from './store/sqlite/file.ts'
import type { Store } from './store/store.ts'
import { createFileSealer, type FileSealer } from './supervisor/file-sealer.ts'
import { uploadFolder } from './supervisor/folder.ts'
import { wakeRunOf } from './supervisor/recovery/wake-sleepers.ts'
import { createBranchLookup } from './system/git-branch.ts'
import { homeOf, homePath } from './system/home.ts'
import { refuseIfOthersCanWrite } from './system/ownership.ts'
import { openTracer } from './tracing/open-tracer.ts'
import type { Tracer } from './tracing/tracer.ts'

export interface OpenHubOptions {
  /** A file, postgres://…, https://… or `:memory:`; else BECKON_URL, BECKON_DB, or the file in BECKON_HOME. */
  database?: string
  /** For a hub over HTTP; else BECKON_TOKEN. */
  token?: string
  env?: NodeJS.ProcessEnv
  caller?: Partial<Caller>
  /** Milliseconds to add to the database's clock. */
  shift?: () => number
  /** The time of a database in memory, instead of the machine's. */
  clock?: { now(): number; sleep: Sleep }
  sweeps?: boolean
  onLogSetAside?: (log: string) => void
  /** Hears why nothing, or not everything, is traced. */
  onTracingProblem?: (problem: string) => void
  /** Hears that the server, for a hub over HTTP, has not answered for a while. */
  onOutage?: (outage: Outage) => void
}

/**
 * Opens the hub that the options or the environment name: in process, or over HTTP. For Beckon's own parts, which say for
 * themselves through which channel a person answers; programs get theirs from src/library.
 */
export async function openHub(where: string | OpenHubOptions = {}): Promise<HubApi> {
  const options = typeof where === 'string' ? { database: where } : where
  const env = options.env ?? process.env
  const url = options.database ?? env.BECKON_URL
  if (url && /^https?:\/\//i.test(url)) return openHttpHub(url, env, options)
  // A request meant for a server must not end up in the database of this machine.
  if (url && options.database === undefined) {
    throw new BeckonError('invalid', `BECKON_URL must begin with http:// or https://; it is "${url}".`)
  }
  return openLocalHub(options)
}

/** Opens the hub in process, over a database. */
export async function openLocalHub(options: OpenHubOptions): Promise<Hub> {
  return (await openHubAndStore(options)).hub
}

async function openHttpHub(url: string, env: NodeJS.ProcessEnv, options: OpenHubOptions): Promise<HubApi> {
  const token = options.token ?? env.BECKON_TOKEN
  if (!token) {
    throw new BeckonError('unauthenticated', `${url} needs a token in BECKON_TOKEN. Make one: beckon token create`)
  }
  const { createHttpHub } = await import('./client/http-hub.ts')
  const {
    directory = process.cwd(),
    agent = 'script',
    channel = null,
    user = env.BECKON_USER || null,
  } = options.caller ?? {}
  const hubOptions = {
    url,
    token,
    host: hostname(),
    directory,
    agent,
    channel,
    user,
    branchOf: createBranchLookup(),
    onOutage: options.onOutage,
  }
  const tracer = await tracerOf(env, options)
  if (!tracer) return createHttpHub(hubOptions)
  const { traceHttpHub } = await import('./tracing/traced-hubs.ts')
  return traceHttpHub(tracer, fetch => createHttpHub({ ...hubOptions, fetch }))
}

export interface OpenedHub {
  hub: Hub
  store: Store
  /** Seals files with the hub's own key. */
  sealer: FileSealer
  /** Null where the environment asks for no traces. */
  tracer: Tracer | null
}

export async function openHubAndStore(options: OpenHubOptions): Promise<OpenedHub> {
  const env = options.env ?? process.env
  const database = options.database ?? databaseOf(env)
  // A database in memory has no use for it, no matter who may write there.
  const home = isInMemory(database) ? homePath(env) : homeOf(env)
  refuseOtherSchemes(database)
  refuseSharedDatabase(database)
  const tracer = await tracerOf(env, options)
  const tracing = tracer && { tracer, ...(await import('./tracing/traced-hubs.ts')) }
  const caller = { ...callerOf(env, options.caller), ...(tracer ? { traceparent: tracer.current } : {}) }
  const { shift, clock, onLogSetAside } = options
  const store = await openStore({
    database,
    ...(shift ? { shift } : {}),
    ...(clock ? { clock: clock.now } : {}),
    ...(onLogSetAside ? { onLogSetAside } : {}),
  })
  const sealing = sealingFor(database, env, home)
  try {
    // Again: another user may have made the folder just before we did.
    refuseSharedDatabase(database)
    let hub: Hub = await createHub({
      store,
      sealing,
      caller,
      env,
      files: { host: caller.host, realpath, kindOf, uploads: request => uploadFolder(home, request) },
      sendTest,
      preparePairing,
      checkCallback: url => checkCallback(url, env),
      // What is in memory has no supervisor that could sleep.
      ...(isInMemory(database) ? {} : { onSettled: request => wakeRunOf(request, hub, env) }),
      sweeps: options.sweeps ?? true,
      ...(clock ? { sleep: clock.sleep } : {}),
      ...(tracing
        ? { onDeadlineSettled: (request: Request) => tracing.recordLife(tracing.tracer, request, null) }
        : {}),
    })
    if (tracing) hub = tracing.traceLocalHub(tracing.tracer, hub, store.kind)
    return { hub, store, sealer: createFileSealer(() => store.read(view => sealing.sealer(view))), tracer }
  } catch (error) {
    await store.close()
    throw error
  }
}

function tracerOf(env: NodeJS.ProcessEnv, { onTracingProblem }: OpenHubOptions): Promise<Tracer | null> {
  const { version } = packageJson
  return openTracer({ env, version, ...(onTracingProblem ? { onProblem: onTracingProblem } : {}) })
}

/** For a hub over HTTP: seals files of this machine with the key of this machine. */
export function openFileSealer(env: NodeJS.ProcessEnv): FileSealer {
  return createFileSealer(() => loadSealer(env, homeOf(env), { create: true }))
}

/** Hashes secrets of this machine with the key of this machine. */
export function openKeyedHash(env: NodeJS.ProcessEnv): Promise<KeyedHash> {
  return loadKeyedHash({ home: homeOf(env), env })
}

function sealingFor(database: string, env: NodeJS.ProcessEnv, home: string): Sealing {
  if (isInMemory(database)) return createTemporarySealing()
  // Many machines share a PostgreSQL database and its secrets, so each must be given the key.
  const folder = isPostgres(database) ? null : home
  return createSealing(options => loadSealer(env, folder, options))
}

/** Seals with a key that is gone with the process, as what it seals. */
export function createTemporarySealing(): Sealing {
  const sealer = createSealer(randomBytes(keyLength))
  return createSealing(async () => sealer)
}

async function loadSealer(env: NodeJS.ProcessEnv, home: string | null, { create }: { create: boolean }) {
  if (create && home !== null) makeHome(home)
  return createSealer(await loadKey({ home, env, create }))
}

function makeHome(home: string): void {
  makeFolder(home)
  refuseIfOthersCanWrite(home, 'BECKON_HOME')
}

/** Loaded only when needed: most commands send nothing. */
const sendTest: SendTest = async (target, options) => (await import('./notify/send-test.ts')).sendTest(target, options)

const preparePairing: PreparePairing = async target =>
  (await import('./chat/prepare-pairing.ts')).preparePairing(target)

async function checkCallback(url: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { allowedHostsOf, checkCallback } = await import('./notify/callbacks/check-callback.ts')
  return checkCallback(url, allowedHostsOf(env))
}

const scheme = /^([a-z][a-z0-9+.-]*):\/\//i

function databaseOf(env: NodeJS.ProcessEnv): string {
  const database = env.BECKON_DB
  if (!database) return join(homeOf(env), 'beckon.db')
  // Every command would have one of its own, and a program that asks would wait for an answer that cannot come.
  if (memoryLike.test(database)) {
    throw new BeckonError(
      'unsupported',
      `BECKON_DB=${database} would be gone when the command ends. Name a file; a program can call openHub(":memory:").`,
    )
  }
  return scheme.test(database) ? database : resolve(database)
}

function refuseOtherSchemes(database: string): void {
  refuseMemoryLike(database)
  const [, name] = scheme.exec(database) ?? []
  if (name === undefined || isPostgres(database)) return
  const hint = /^https?$/i.test(name)
    ? 'Set BECKON_URL to use a hub over HTTP.'
    : 'Use a file or postgres://… as the database.'
  throw new BeckonError('unsupported', `${name}:// is not supported as a database. ${hint}`)
}

// What other libraries call a database in memory or a temporary one. Here each would be a file of that name.
const memoryLike = /^\s*(?:file:)?:memory:|^file:.*mode=memory|^\s*$/i

function refuseMemoryLike(database: unknown): void {
  if (typeof database === 'string' && (isInMemory(database) || !memoryLike.test(database))) return
  const written = typeof database === 'string' ? `"${database}"` : String(database)
  throw new BeckonError('invalid', `${written} is not a database. Use a file, postgres://… or ":memory:".`)
}

/** Not in a folder for everybody either: SQLite trusts the files that it finds beside its own. */
function refuseSharedDatabase(database: string): void {
  if (isPostgres(database) || isInMemory(database)) return
  refuseIfOthersCanWrite(dirname(database), 'The folder of the database,', { group: true })
  refuseIfOthersCanWrite(database, 'The database')
}

function callerOf(env: NodeJS.ProcessEnv, given: Partial<Caller> = {}): Caller {
  return {
    user: env.BECKON_USER || systemUser(),
    host: hostname(),
    directory: given.directory ?? process.cwd(),
    agent: 'script',
    channel: 'sdk',
    token: null,
    boundTo: null,
    branchOf: createBranchLookup(),
    ...given,
  }
}

/** In a container, the user may have no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Where a path really leads; for a dangling link, its target; null where there is nothing. */
function realpath(path: string): string | null {
  try {
    return realpathSync(path)
  } catch {
    try {
      return lstatSync(path).isSymbolicLink() ? resolve(dirname(path), readlinkSync(path)) : null
    } catch {
      return null
    }
  }
}

/** Null where there is nothing; what belongs to another user may be hidden from this one. */
function kindOf(path: string): FileKind | null {
  try {
    const found = statSync(path)
    return found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other'
  } catch (error) {
    return ['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'hidden' : null
  }
}
