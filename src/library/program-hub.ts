import { type HubApi, isForPeople, limits, type Request, type Run } from '../protocol/index.ts'
import { composedVerbs, type Operation, operations } from '../protocol/operations/index.ts'
import { findVerb, setVerb, type Verb } from '../protocol/operations/verbs.ts'
import { parse } from '../protocol/parse.ts'
import { line } from '../protocol/text.ts'
import { refuseReservedChannel } from '../rules/reserved-channels.ts'
import {
  type AgentContext,
  agentContext,
  notForAgents,
  notOwnRequest,
  notOwnRun,
  notOwnValue,
} from '../system/agent-context.ts'
import { isInsideRun, isOutsideRun } from '../system/processes/ancestors.ts'
import type { Hub } from '../typed/hub.ts'
import { typedVerb } from '../typed/typed-verb.ts'
import { withFiles } from './attached-files.ts'

export interface ProgramOptions {
  /** The name of the channel, where the program passes on what people decide; null where it does not say so. */
  channel: string | null
  env: NodeJS.ProcessEnv
  directory: string
}

// For people too, although a supervisor may create a token for its own run.
const createsTokens = 'tokens.create'
const changesRun = ['runs.pause', 'runs.resume', 'runs.stop', 'runs.change']

const programHubs = new WeakMap<HubApi, (channel: string) => Hub>()

/**
 * The hub as a program has it that uses the library: the verbs of the table and no more. In agent context it is refused
 * what the commands are refused there, unless it says that it is a channel for people. It can never claim one of
 * Beckon's own channels.
 */
export function createProgramHub(hub: HubApi, options: ProgramOptions): Hub {
  const { channel, env, directory } = options
  // Looked for once: neither the process nor those above it become an agent's later.
  let found: AgentContext | null = null
  const raised = createRecent()
  const started = createRecent()
  const program = {} as Hub
  for (const name of Object.keys(composedVerbs)) {
    const verb = findVerb(hub, name) as Verb
    setVerb(program, name, typedVerb(name, name === 'ask' ? readsFiles(verb) : verb))
  }
  for (const operation of operations) {
    const verb = findVerb(hub, operation.name)
    if (verb && !operation.serverOnly)
      setVerb(program, operation.name, typedVerb(operation.name, guard(operation, verb)))
  }
  programHubs.set(program, channel => createProgramHub(hub, { ...options, channel }))
  return program

  function guard({ name, scope }: Operation, verb: Verb): Verb {
    if (name === 'answer' || name === 'skip' || name === 'decline') return forPeople(name, signed(verb))
    if (name === 'cancel') return forAsker(signed(verb))
    if (name === 'messages.send') return asAsker(verb)
    if (name === 'messages.confirm') return forAsker(verb, 'take messages on')
    if (name === 'attachments.add') return forAsker(verb, 'add files to')
    if (name === 'use' || name === 'confirmDelivery') return forTaker(verb)
    if (name === 'raise') return remember(raised, readsFiles(verb))
    if (name === 'runs.start') return remember(started, verb)
    if (changesRun.includes(name)) return forOwnRun(name, verb)
    return name === createsTokens || (scope !== null && isForPeople(scope)) ? forPeople(name, verb) : verb
  }

  /** Files are read here, on the program's machine: a hub is never given a path. */
  function readsFiles(verb: Verb): Verb {
    return async (input, ...rest) => verb(await withFiles(input, directory), ...rest)
  }

  function forPeople(name: string, verb: Verb): Verb {
    return async (...args) => {
      const agent = agentHere()
      if (agent) throw notForAgents(`hub.${name}`, agent)
      return verb(...args)
    }
  }

  function forAsker(verb: Verb, what?: string): Verb {
    return async (id, ...rest) => {
      const agent = agentHere()
      if (agent && !(await isOwnRequest(id as string))) throw notOwnRequest(id as string, agent, what)
      return verb(id, ...rest)
    }
  }

  /** An agent writes as one, and on its own requests only. */
  function asAsker(verb: Verb): Verb {
    const asAgent = forAsker((id, input) => verb(id, { ...(input as object | undefined), as: 'agent' }), 'reply to')
    return async (...args) => (agentHere() ? asAgent(...args) : verb(...args))
  }

  /** What was given to a run goes to its own processes. */
  function forTaker(verb: Verb): Verb {
    return async (id, ...rest) => {
      const agent = agentHere()
      if (agent && !raised.has(id as string) && !(await mayTake(id as string))) throw notOwnValue(id as string, agent)
      return verb(id, ...rest)
    }
  }

  async function mayTake(id: string): Promise<boolean> {
    const { run } = await hub.get(id)
    return run === null || started.has(run) || !isOutsideRun(await hub.runs.get(run))
  }

  function forOwnRun(name: string, verb: Verb): Verb {
    return async (id, ...rest) => {
      if (agentHere() && !(await isOwnRun(id as string))) throw notOwnRun(id as string, name.replace('runs.', ''))
      return verb(id, ...rest)
    }
  }

  /** Null where a person runs the program, or it says that it speaks for people. */
  function agentHere(): AgentContext | null {
    if (channel !== null) return null
    found ??= agentContext(env)
    return found.marker === null ? null : found
  }

  async function isOwnRequest(id: string): Promise<boolean> {
    if (raised.has(id)) return true
    const { run, agent } = await hub.get(id)
    return run === null ? agent.cwd === directory : isOwnRun(run)
  }

  async function isOwnRun(id: string): Promise<boolean> {
    return started.has(id) || isInsideRun(await hub.runs.get(id))
  }
}

/** Null where none is given. */
export function readChannel(given: string | undefined): string | null {
  if (given === undefined) return null
  const channel = parse(line(limits.name), given)
  refuseChannel(channel)
  return channel
}

/** The same hub for a part of the program that is a channel for people; another implementation of a hub is left as it is. */
export function hubForChannel(hub: HubApi, channel: string): HubApi {
  return programHubs.get(hub)?.(channel) ?? hub
}

function refuseChannel(channel: unknown): void {
  refuseReservedChannel(channel, { who: 'A program' })
}

/** Copies what was given, so that what is checked is what is stored. */
function signed(verb: Verb): Verb {
  return async (id, given) => {
    const input = { ...(given as object | undefined) }
    refuseChannel((input as { channel?: unknown }).channel)
    return verb(id, input)
  }
}

function remember(known: ReturnType<typeof createRecent>, verb: Verb): Verb {
  return async (...args) => {
    const made = (await verb(...args)) as Request | Run
    known.add(made.id)
    return made
  }
}

const mostRemembered = 10_000

/** The newest ids: a program may run for months. */
function createRecent() {
  const ids = new Set<string>()
  return {
    has: (id: string) => ids.has(id),
    add(id: string) {
      ids.add(id)
      const [oldest] = ids
      if (ids.size > mostRemembered && oldest !== undefined) ids.delete(oldest)
    },
  }
}
