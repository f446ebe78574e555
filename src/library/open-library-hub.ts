import type { Caller } from '../hub/caller.ts'
import { openHub } from '../open-hub.ts'
import type { ProgramHub } from './attached-files.ts'
import { createProgramHub, readChannel } from './program-hub.ts'

export interface OpenHubOptions {
  /** A file, postgres://… or https://…; else BECKON_URL, BECKON_DB, or the file in BECKON_HOME. */
  database?: string
  /** For a hub over HTTP; else BECKON_TOKEN. */
  token?: string
  env?: NodeJS.ProcessEnv
  /** Who asks and who answers, unless a call says otherwise. */
  caller?: Partial<Pick<Caller, 'user' | 'host' | 'directory' | 'agent'>>
  /**
   * Says that this program passes on what people decide, through a channel with this name: `slack`. Without it, what is
   * for people is refused in agent context. `web`, `terminal`, `rule` and `policy` are Beckon's own.
   */
  channel?: string
  /** Whether this hub fires deadlines. */
  sweeps?: boolean
}

/** Opens the hub that the options or the environment name: in process, or over HTTP. */
export async function openLibraryHub(where: string | OpenHubOptions = {}): Promise<ProgramHub> {
  const options = typeof where === 'string' ? { database: where } : where
  const { database, token, env = process.env, sweeps } = options
  const caller = callerOf(options)
  const channel = readChannel(options.channel)
  const hub = await openHub({
    env,
    caller: { ...caller, ...(channel === null ? {} : { channel }) },
    ...(database === undefined ? {} : { database }),
    ...(token === undefined ? {} : { token }),
    ...(sweeps === undefined ? {} : { sweeps }),
  })
  return createProgramHub(hub, { channel, env, directory: caller.directory ?? process.cwd() })
}

/** Nothing else of a caller is for programs to choose: neither its channel nor its token. */
function callerOf({ caller = {} }: OpenHubOptions): NonNullable<OpenHubOptions['caller']> {
  const { user, host, directory, agent } = caller
  const given = Object.entries({ user, host, directory, agent }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}
