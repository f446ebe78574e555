import { lstatSync, readlinkSync, realpathSync } from 'node:fs'
import { hostname, userInfo } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { Caller } from './hub/caller.ts'
import { createHub, type Hub } from './hub/hub.ts'
import { createSealing, type Sealing } from './hub/sealing.ts'
import type { SendTest } from './hub/targets.ts'
import { BeckonError, type HubApi } from './protocol/index.ts'
import { loadKey } from './secrets/key.ts'
import { createSealer } from './secrets/seal.ts'
import { isPostgres, openStore } from './store/open.ts'
import { makeFolder } from './store/sqlite/file.ts'
import type { Store } from './store/store.ts'
import type { Safe } from './supervisor/environment.ts'
import { uploadFolder } from './supervisor/folder.ts'
import { wakingSleepers } from './supervisor/recovery/wake-sleepers.ts'
import { homeOf } from './system/home.ts'

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
}

/** Opens the hub where the environment says, or where it is told: in process, or over HTTP. */
export async function openHub(where: string | OpenHubOptions = {}): Promise<HubApi> {
  const options = typeof where === 'string' ? { database: where } : where
  const env = options.env ?? process.env
  const url = options.database ?? env.BECKON_URL
  if (url && /^https?:\/\//i.test(url)) return openHttpHub(url, env, options)
  return openLocalHub(options)
}

/** The hub in process, over a database. */
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
  return createHttpHub({ url, token, host: hostname(), directory, agent, channel, user })
}

export interface OpenedHub {
  hub: Hub
  store: Store
  /** Seals with the hub's own key what is kept outside of it. */
  safe: Safe
}

export async function openHubAndStore(options: OpenHubOptions): Promise<OpenedHub> {
  const env = options.env ?? process.env
  const database = options.database ?? databaseOf(env)
  refuseOtherAddresses(database)
  const store = await openStore({ database, ...(options.shift ? { shift: options.shift } : {}) })
  // In PostgreSQL many machines share the secrets, so the key must be handed to each of them.
  const home = isPostgres(database) ? null : homeOf(env)
  const sealing = createSealing(async ({ create }) => {
    if (create && home !== null) makeFolder(home)
    return createSealer(await loadKey({ home, env, create }))
  })
  const caller = callerOf(env, options.caller)
  const files = {
    realpath,
    uploads: (request: { run: string | null; id: string }) => uploadFolder(homeOf(env), request),
  }
  try {
    const hub = await createHub({ store, sealing, caller, files, sendTest, sweeps: options.sweeps ?? true })
    return { hub: wakingSleepers(hub, caller.host, env), store, safe: createSafe(sealing, store) }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Loaded when it is needed: most commands send nothing. */
const sendTest: SendTest = async (target, options) => (await import('./notify/send-test.ts')).sendTest(target, options)

function createSafe(sealing: Sealing, store: Store): Safe {
  const sealer = () => store.read(view => sealing.sealer(view))
  return {
    seal: async (name, text) => (await sealer()).seal(name, text).bytes,
    open: async (name, bytes) => (await sealer()).open(name, bytes),
  }
}

/** For a hub over HTTP: what lies on this machine is sealed with the key of this machine. */
export function openSafe(env: NodeJS.ProcessEnv): Safe {
  const home = homeOf(env)
  const sealer = async () => {
    makeFolder(home)
    return createSealer(await loadKey({ home, env, create: true }))
  }
  return {
    seal: async (name, text) => (await sealer()).seal(name, text).bytes,
    open: async (name, bytes) => (await sealer()).open(name, bytes),
  }
}

function refuseOtherAddresses(database: string): void {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(database) ?? []
  if (scheme === undefined || isPostgres(database)) return
  const hint = /^https?$/i.test(scheme) ? 'A hub over HTTP is named in BECKON_URL.' : 'Name a file, or postgres://…'
  throw new BeckonError('unsupported', `${scheme}:// is not supported as a database. ${hint}`)
}

function databaseOf(env: NodeJS.ProcessEnv): string {
  const database = env.BECKON_DB
  if (!database) return join(homeOf(env), 'beckon.db')
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(database) ? database : resolve(database)
}

function callerOf(env: NodeJS.ProcessEnv, given: Partial<Caller> = {}): Caller {
  return {
    user: env.BECKON_USER || systemUser(),
    host: hostname(),
    directory: given.directory ?? process.cwd(),
    agent: 'script',
    channel: 'sdk',
    token: null,
    ...given,
  }
}

/** A container may run as a number that has no name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/** Null where there is nothing; a link that leads nowhere is where it leads to. */
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
