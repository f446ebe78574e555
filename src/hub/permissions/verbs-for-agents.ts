import { type AskInput, BeckonError, type HubApi, type IdNoun, type ListFilter } from '../../protocol/index.ts'
import type { TokenVerbName } from '../../protocol/operations/index.ts'
import type { HubVerbs } from '../../protocol/operations/verbs.ts'
import { commandRules } from '../../rules/command-rules.ts'
import { notFound } from '../not-found.ts'
import type { RestrictedHub } from '../shared-hub.ts'
import type { RestrictOptions } from './options.ts'
import type { Ownership } from './ownership.ts'
import { needsScope } from './refusals.ts'
import { signOutcome } from './sign-outcome.ts'

interface Options extends RestrictOptions {
  ownership: Ownership
  events: HubApi['events']
}

interface AgentVerbs extends Pick<RestrictedHub, 'raiseOrJoin' | 'ask'> {
  verbs: HubVerbs<TokenVerbName | 'cancel' | 'messages.send'>
}

/** The verbs that depend on the calling token, for agents (`ask`) and supervisors (`run`). */
export function verbsForAgents({ hub, grant, listOf, ownership, events }: Options): AgentVerbs {
  const { scope, run, id: token } = grant
  const { keySpace, ownsRun } = ownership
  const inOwnRun = scope === 'run' ? inStartedRun : inBoundRun
  return {
    async raiseOrJoin(input) {
      const raised = await hub.raiseOrJoin(await inOwnRun(input))
      ownership.noteOwnRequest(raised.request.id)
      return raised
    },
    ask: async (input, options) => hub.ask(await inOwnRun(input), options),
    verbs: {
      raise: async input => hub.raise(await inOwnRun(input)),
      list: async (filter = {}) => {
        // A search takes as long as what agents asked is large.
        if (filter.search) throw needsScope('answer', scope)
        return listOwn(filter)
      },
      findIds: async input => {
        const found = await hub.findIds(input)
        const isOwn = await Promise.all(found.map(({ id }) => isOwnId(input?.of ?? 'request', id)))
        return found.filter((_, i) => isOwn[i])
      },
      cancel: async (id, input) => hub.cancel(id, signOutcome(grant, input)),
      'messages.send': async (id, input) => hub.messages.send(id, { ...input, as: 'agent' }),
      events,
      // An agent may know the rules about commands that are in force, and no more.
      'rules.list': async () => commandRules(await hub.rules.list()),
      'runs.list': filter => hub.runs.list({ ...filter, token }),
      'runs.start': async input => {
        if (input?.again !== undefined) await needOwnRun(input.again)
        return hub.runs.start(input)
      },
      'checkpoints.save': async input => {
        await needOwnRun(input?.run)
        return hub.checkpoints.save(input)
      },
      'checkpoints.get': async id => {
        const checkpoint = await hub.checkpoints.get(id)
        if (!(await ownsRun(checkpoint.run))) throw notFound('checkpoint', id)
        return checkpoint
      },
      // A supervisor gives its agent less than it has itself.
      'tokens.create': async input => {
        if (input?.scope !== 'ask' || !input.run) throw needsScope('admin', scope)
        await needOwnRun(input.run)
        return hub.tokens.create(input)
      },
    },
  }

  async function isOwnId(noun: IdNoun, id: string): Promise<boolean> {
    if (noun === 'request') return ownership.ownsRequest(id)
    return ownsRun(noun === 'run' ? id : (await hub.checkpoints.get(id)).run)
  }

  // In another's run it would get the answers that were given there.
  function inBoundRun(input: AskInput): AskInput {
    const wanted = runOf(input)
    if (wanted === null && run === null) return input
    if (wanted === null || wanted === run) return { ...input, run }
    throw new BeckonError(
      'not_allowed',
      run === null
        ? 'This token is not bound to a run: leave the run out, or ask with the token of the run.'
        : `This token is bound to the run ${run} and cannot ask in another.`,
    )
  }

  async function inStartedRun(input: AskInput): Promise<AskInput> {
    const wanted = runOf(input)
    if (wanted === null || (await ownsRun(wanted))) return input
    throw new BeckonError('not_allowed', `This token did not start ${wanted} and cannot ask in it.`)
  }

  async function listOwn(filter: ListFilter): ReturnType<HubApi['list']> {
    if (scope === 'run') {
      if (filter.run === undefined) return listOf(filter, keySpace)
      await needOwnRun(filter.run)
      return hub.list(filter)
    }
    if (run === null) return listOf(filter, keySpace)
    if (filter.run !== undefined && filter.run !== run) {
      throw new BeckonError('not_allowed', 'This token sees the requests of its own run only.')
    }
    return hub.list({ ...filter, run })
  }

  /** What was sent is not parsed yet. */
  async function needOwnRun(id: unknown): Promise<void> {
    if (typeof id !== 'string' || !(await ownsRun(id))) throw notFound('run', id)
  }
}

/** What was sent is not parsed yet. */
function runOf(input: AskInput): string | null {
  return typeof input === 'object' && input !== null ? (input.run ?? null) : null
}
