import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Caller } from './hub/caller.ts'
import { createHub, type Hub } from './hub/hub.ts'
import { createSealing, type Sealing } from './hub/sealing.ts'
import type { SendTest } from './hub/targets.ts'
import { BeckonError, type HubApi } from './protocol/index.ts'
import type { FileKind } from './rules/dependency-value.ts'
import { loadKey } from './secrets/key.ts'
import { type KeyedHash, loadKeyedHash } from './secrets/keyed-hash.ts'
import { createSealer } from './secrets/seal.ts'
import { isPostgres, openStore } from './store/open.ts'
import { makeFolder } from './store/sqlite/file.ts'
import type { Store } from './store/store.ts'
import { createFileSealer, type FileSealer } from './supervisor/file-sealer.ts'
import { uploadFolder } from './supervisor/folder.ts'
import { wakeRunOf } from './supervisor/recovery/wake-sleepers.ts'
import { branchOf } from './system/git-branch.ts'
import { homeOf } from './system/home.ts'
import { refuseIfOthersCanWrite } from './system/ownership.ts'

export interface OpenHubOptions {
  /** A file, postgres://… or https://…; else BECKON_URL, BECKON_DB, or the file in BECKON_HOME. */
  database?: string
  /** For a hub over HTTP; else BECKON_TOKEN. */
  token?: string
  env?: NodeJS.ProcessEnv
  caller?: Partial<Caller>
  /** Milliseconds to add to the database's clock. */
  shift?: () => number
  sweeps?: boolean
  onLogSetAside?: (log: string) => void
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
  return createHttpHub({ url, token, host: hostname(), directory, agent, channel, user, branchOf })
}

export interface OpenedHub {
  hub: Hub
  store: Store
  /** Seals files with the hub's own key. */
  sealer: FileSealer
}

export async function openHubAndStore(options: OpenHubOptions): Promise<OpenedHub> {
  const env = options.env ?? process.env
  const home = homeOf(env)
  const database = options.database ?? databaseOf(env)
  refuseOtherSchemes(database)
  refuseSharedDatabase(database)
  const caller = callerOf(env, options.caller)
  const { shift, onLogSetAside } = options
  const store = await openStore({
    database,
    ...(shift ? { shift } : {}),
    ...(onLogSetAside ? { onLogSetAside } : {}),
  })
  // Many machines share a PostgreSQL database and its secrets, so each must be given the key.
  const sealing = sealingWith(env, isPostgres(database) ? null : home)
  try {
    // Again: another user may have made the folder just before we did.
    refuseSharedDatabase(database)
    const hub: Hub = await createHub({
      store,
      sealing,
      caller,
      env,
      files: { host: caller.host, realpath, kindOf, uploads: request => uploadFolder(home, request) },
      sendTest,
      onSettled: request => wakeRunOf(request, hub, env),
      sweeps: options.sweeps ?? true,
    })
    return { hub, store, sealer: createFileSealer(() => store.read(view => sealing.sealer(view))) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** For a hub over HTTP: seals files of this machine with the key of this machine. */
export function openFileSealer(env: NodeJS.ProcessEnv): FileSealer {
  return createFileSealer(() => loadSealer(env, homeOf(env), { create: true }))
}

/** Hashes secrets of this machine with the key of this machine. */
export function openKeyedHash(env: NodeJS.ProcessEnv): Promise<KeyedHash> {
  return loadKeyedHash({ home: homeOf(env), env })
}

function sealingWith(env: NodeJS.ProcessEnv, home: string | null): Sealing {
  return createSealing(options => loadSealer(env, home, options))
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

const scheme = /^([a-z][a-z0-9+.-]*):\/\//i

function databaseOf(env: NodeJS.ProcessEnv): string {
  const database = env.BECKON_DB
  if (!database) return join(homeOf(env), 'beckon.db')
  return scheme.test(database) ? database : resolve(database)
}

function refuseOtherSchemes(database: string): void {
  const [, name] = scheme.exec(database) ?? []
  if (name === undefined || isPostgres(database)) return
  const hint = /^https?$/i.test(name)
    ? 'Set BECKON_URL to use a hub over HTTP.'
    : 'Use a file or postgres://… as the database.'
  throw new BeckonError('unsupported', `${name}:// is not supported as a database. ${hint}`)
}

/** Not in a folder for everybody either: SQLite trusts the files that it finds beside its own. */
function refuseSharedDatabase(database: string): void {
  if (isPostgres(database)) return
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
    branchOf,
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
