import { openHub } from '../open-hub.ts'
import type { Hub } from '../typed/hub.ts'
import { createProgramHub, readChannel } from './program-hub.ts'

export interface OpenHubOptions {
  /** A file, postgres://…, https://… or `:memory:`; else BECKON_URL, BECKON_DB, or the file in BECKON_HOME. */
  database?: string | undefined
  /** For a hub over HTTP; else BECKON_TOKEN. */
  token?: string | undefined
  /** Where `BECKON_…` is read from; `process.env` unless given. */
  env?: NodeJS.ProcessEnv | undefined
  /** Who asks and who answers, unless a call says otherwise. */
  caller?: ProgramCaller | undefined
  /**
   * Says that this program passes on what people decide, through a channel with this name: `slack`. Without it, what is
   * for people is refused in agent context. `web`, `terminal`, `rule` and `policy` are Beckon's own.
   */
  channel?: string | undefined
  /** Whether this hub fires deadlines; true unless given. One process with the same database is enough. */
  sweeps?: boolean | undefined
}

export interface ProgramCaller {
  /** The person, as others see them; BECKON_USER or the system's user unless given. */
  user?: string | undefined
  /** The name of this machine. */
  host?: string | undefined
  /** Where it asks from; the working directory unless given. */
  directory?: string | undefined
  /** The name of the agent that asks; `script` unless given. */
  agent?: string | undefined
}

/** Opens the hub that the options or the environment name: in process, or over HTTP. */
export async function openLibraryHub(where: string | OpenHubOptions = {}): Promise<Hub> {
  const options = typeof where === 'object' && where !== null ? where : { database: where }
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
function callerOf({ caller = {} }: OpenHubOptions): Given<ProgramCaller> {
  const { user, host, directory, agent } = caller
  const given = Object.entries({ user, host, directory, agent }).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

type Given<T> = { [Field in keyof T]?: Exclude<T[Field], undefined> }
