import { join, resolve } from 'node:path'
import type { Outage } from '../client/outage.ts'
import type { Hub } from '../hub/hub.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Store } from '../store/store.ts'
import type { FileSealer } from '../supervisor/file-sealer.ts'
import { isMachineFault } from '../system/machine-fault.ts'
import { harmless } from '../text/harmless.ts'
import type { Tracer } from '../tracing/tracer.ts'
import type { Context } from './context.ts'

export interface WithHubOptions {
  /** The name of the agent that asks. */
  agent?: string
  /** The channel of what it settles; `cli` unless it is given. */
  channel?: string
  /** Commands that only read do not fire deadlines. */
  sweeps?: boolean
  /** Whether to wake runs that others could not wake. Commands that an agent waits for do not. */
  wakes?: boolean
  /** Whether to warn of a connection that others can read; `beckon doctor` reports it among its findings. */
  warns?: boolean
  /** Hears why nothing, or not everything, is traced. */
  onTracingProblem?: (problem: string) => void
}

/** Opens the hub, here or over HTTP, for as long as the work takes. */
export async function withHub<T>(
  context: Context,
  work: (hub: HubApi) => Promise<T>,
  options: WithHubOptions = {},
): Promise<T> {
  if (!context.env.BECKON_URL) return withStore(context, work, options)
  const { openHub } = await import('../open-hub.ts')
  const { reportOutage } = await import('./output/report-outage.ts')
  const onOutage = (outage: Outage) => reportOutage(context, outage)
  const hub = await openHub({ env: context.env, caller: callerOf(context, options), onOutage })
  return useAndClose(context, hub, () => work(hub), options)
}

/** The hub, here or over HTTP, and what seals files of this machine. */
export async function withFileSealer<T>(
  context: Context,
  work: (hub: HubApi, sealer: FileSealer) => Promise<T>,
  options: WithHubOptions = {},
): Promise<T> {
  if (!context.env.BECKON_URL) return withStore(context, (hub, _, sealer) => work(hub, sealer), options)
  const { openFileSealer } = await import('../open-hub.ts')
  return withHub(context, hub => work(hub, openFileSealer(context.env)), options)
}

/** The hub of this machine with its database, for commands that maintain it. */
export async function withStore<T>(
  context: Context,
  work: (hub: Hub, store: Store, sealer: FileSealer, tracer: Tracer | null) => Promise<T>,
  options: WithHubOptions = {},
): Promise<T> {
  refuseOverHttp(context)
  const { sweeps = true, warns = true, onTracingProblem } = options
  if (warns) await warnOfPlaintext(context)
  const { openHubAndStore } = await import('../open-hub.ts')
  const caller = callerOf(context, options)
  const onLogSetAside = (log: string) => warnOfLog(context, log)
  const opened = await openHubAndStore({
    env: context.env,
    caller,
    sweeps,
    onLogSetAside,
    ...(onTracingProblem ? { onTracingProblem } : {}),
  })
  const { hub, store, sealer, tracer } = opened
  return useAndClose(context, hub, () => work(hub, store, sealer, tracer), options)
}

export function refuseOverHttp({ env }: Context): void {
  if (!env.BECKON_URL) return
  throw new BeckonError(
    'unsupported',
    'This command works on the database of this machine. Unset BECKON_URL, or run it where the server runs.',
  )
}

const warned = new WeakSet<Context>()

/** Once per command, and for people: an agent can do nothing about it. */
async function warnOfPlaintext(context: Context): Promise<void> {
  const { env, stderr } = context
  if (!/^postgres(ql)?:/i.test(env.BECKON_DB ?? '') || warned.has(context)) return
  warned.add(context)
  const { plaintextWarning } = await import('../store/postgres/plaintext.ts')
  const { agentContext } = await import('./agent-context.ts')
  const warning = plaintextWarning(env.BECKON_DB ?? '')
  if (warning && agentContext(context).marker === null) stderr.write(`beckon: ${harmless(warning)}\n`)
}

/** What was reported as stored may be in the log alone. */
function warnOfLog({ stderr }: Context, log: string): void {
  const database = log.replace(/-wal$/, '')
  const warning = `The database that was here is gone, and its log is now ${log}. If you still have that database, name it ${database} and run: beckon restore-database ${database}`
  stderr.write(`beckon: ${harmless(warning)}\n`)
}

/** Wakes sleeping runs before it closes the hub: the process that settled their last request may not have been able to. */
async function useAndClose<T>(
  { env, stderr }: Context,
  hub: HubApi,
  work: () => Promise<T>,
  { sweeps = true, wakes = env.BECKON_RUN === undefined }: WithHubOptions,
): Promise<T> {
  let isDone = false
  try {
    const result = await work()
    isDone = true
    if (wakes && sweeps) await wakeSleepers(hub, env).catch(say)
    return result
  } finally {
    // What the command did is done: a machine short of descriptors must not make it look as if it had failed.
    await hub.close().catch(error => {
      if (!isDone || !isMachineFault(error)) throw error
      say(error)
    })
  }

  function say(error: unknown) {
    if (isMachineFault(error)) stderr.write(`beckon: Done, but not cleanly: ${harmless((error as Error).message)}\n`)
  }
}

async function wakeSleepers(hub: HubApi, env: NodeJS.ProcessEnv): Promise<void> {
  const { wakeReadyRuns } = await import('../supervisor/recovery/wake-sleepers.ts')
  await wakeReadyRuns(hub, env)
}

function callerOf({ cwd }: Context, { agent = 'shell', channel = 'cli' }: WithHubOptions) {
  return { directory: cwd, agent, channel }
}

/** The file that holds the hub; null when a server does. For commands that look without creating anything. */
export async function databaseFile({ env, cwd }: Context): Promise<string | null> {
  const { homePath } = await import('../system/home.ts')
  const { isPostgres } = await import('../store/open.ts')
  if (isPostgres(env.BECKON_DB ?? '')) return null
  return resolve(cwd, env.BECKON_DB || join(homePath(env), 'beckon.db'))
}
