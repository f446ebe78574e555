import { join, resolve } from 'node:path'
import type { Hub } from '../hub/hub.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Store } from '../store/store.ts'
import type { Safe } from '../supervisor/environment.ts'
import type { Context } from './context.ts'

export interface WithHubOptions {
  /** The name of the agent that asks. */
  agent?: string
  /** Commands that only look do not fire deadlines. */
  sweeps?: boolean
  /** Commands that agents wait for wake nobody else's run. */
  wakes?: boolean
}

/** Opens the hub, here or over HTTP, loaded only now, for as long as the work takes. */
export async function withHub<T>(
  context: Context,
  work: (hub: HubApi) => Promise<T>,
  options: WithHubOptions = {},
): Promise<T> {
  if (!context.env.BECKON_URL) return withStore(context, work, options)
  const { openHub } = await import('../open-hub.ts')
  const { agent = 'shell' } = options
  const { wakes = context.env.BECKON_RUN === undefined } = options
  const hub = await openHub({ env: context.env, caller: { directory: context.cwd, agent, channel: 'cli' } })
  try {
    const result = await work(hub)
    if (wakes) await wakeThoseReady(hub, context)
    return result
  } finally {
    await hub.close()
  }
}

/** The hub, here or over HTTP, and what seals the things that lie on this machine. */
export async function withSafe<T>(
  context: Context,
  work: (hub: HubApi, safe: Safe) => Promise<T>,
  options: WithHubOptions = {},
): Promise<T> {
  if (!context.env.BECKON_URL) return withStore(context, (hub, _, safe) => work(hub, safe), options)
  const { openSafe } = await import('../open-hub.ts')
  return withHub(context, hub => work(hub, openSafe(context.env)), options)
}

/** The hub of this machine, with its database, for commands that look after it. */
export async function withStore<T>(
  context: Context,
  work: (hub: Hub, store: Store, safe: Safe) => Promise<T>,
  { agent = 'shell', sweeps = true, wakes = context.env.BECKON_RUN === undefined }: WithHubOptions = {},
): Promise<T> {
  if (context.env.BECKON_URL) {
    throw new BeckonError(
      'unsupported',
      'This looks after the database of this machine. Unset BECKON_URL, or run it where the server is.',
    )
  }
  const { openHubAndStore } = await import('../open-hub.ts')
  const { hub, store, safe } = await openHubAndStore({
    env: context.env,
    caller: { directory: context.cwd, agent, channel: 'cli' },
    sweeps,
  })
  try {
    const result = await work(hub, store, safe)
    if (wakes && sweeps) await wakeThoseReady(hub, context)
    return result
  } finally {
    await hub.close()
  }
}

/** Whoever settled the last request of a run that sleeps may not have been able to wake it. */
async function wakeThoseReady(hub: HubApi, { env }: Context): Promise<void> {
  const { wakeThoseReady } = await import('../supervisor/recovery/wake-sleepers.ts')
  await wakeThoseReady(hub, env).catch(() => {})
}

/** The file that the hub is kept in; null when it is a server's. For commands that look without making anything. */
export async function databaseFile({ env, cwd }: Context): Promise<string | null> {
  const { homeOf } = await import('../system/home.ts')
  const { isPostgres } = await import('../store/open.ts')
  if (isPostgres(env.BECKON_DB ?? '')) return null
  return resolve(cwd, env.BECKON_DB || join(homeOf(env), 'beckon.db'))
}
