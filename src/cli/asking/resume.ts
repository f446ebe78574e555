import { statSync } from 'node:fs'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { ApprovalRequest, DependencyRequest, Request } from '../../protocol/request.ts'
import { agentContext, isOwn } from '../agent-context.ts'
import type { Context } from '../context.ts'
import type { Reporter } from '../output/reporter.ts'
import { wrongKind } from '../resume-command.ts'
import { type AskingOptions, type Ending, waitAndDeliver, waitingHere, withHubUntilEnding } from './ask-and-wait.ts'

interface RequestOf {
  approval: ApprovalRequest
  dependency: DependencyRequest
}
type EffectKind = keyof RequestOf

/** A request that was asked before, and what its asker still has to do once it is settled. */
export interface Resuming<K extends EffectKind> {
  id: string
  kind: K
  options: AskingOptions
  reporter: Reporter
  /** Whether the effect still can be carried out; asked before a person is waited for, and again before it happens. */
  check: (there: Context, request: RequestOf[K]) => void
  /** `there` is the directory that it was asked in. */
  onSettled: (there: Context, hub: HubApi, request: RequestOf[K], told: boolean) => Promise<Ending>
}

/** Waits for a stored request as the command that asked it would, and then does what that command would do. */
export async function resume<K extends EffectKind>(context: Context, resuming: Resuming<K>): Promise<number> {
  const { id, kind, check } = resuming
  const waiting = await waitingHere(context, resuming.options)
  return withHubUntilEnding(context, async (hub, signal) => {
    const request = ofKind(await hub.get(id), kind)
    await requireOwn(context, hub, request)
    const there = inDirectory(context, directoryOf(request))
    if (request.status === 'pending') check(there, request)
    const onSettled = async (_: HubApi, settled: Request, told: boolean): Promise<Ending> => {
      const granted = ofKind(settled, kind)
      if (granted.status === 'answered') check(there, granted)
      return resuming.onSettled(there, hub, granted, told)
    }
    return waitAndDeliver(there, hub, request, { ...resuming, onSettled }, { ...waiting, signal })
  })
}

function ofKind<K extends EffectKind>(request: Request, kind: K): RequestOf[K] {
  if (request.kind === kind) return request as RequestOf[K]
  throw wrongKind(request, kind)
}

/** An agent that resumes another's request would get a secret, or run a command, that nobody gave to it. */
async function requireOwn(context: Context, hub: HubApi, request: Request): Promise<void> {
  const agent = agentContext(context)
  if (agent.marker === null || (await isOwn(hub, request, agent, context))) return
  const { id, run, agent: asker } = request
  // Without a run, an agent is known by its name and its directory.
  const isElsewhere = run === null && (await isOwn(hub, request, agent, { ...context, cwd: asker.cwd }))
  throw new BeckonError(
    'not_allowed',
    isElsewhere
      ? `${id} was asked in ${asker.cwd}: an agent resumes its requests in the directory where it asked.`
      : `${id} was asked ${run === null ? 'by somebody else' : 'in another run'}: an agent may only resume its own requests.`,
    { process: agent.carrier },
  )
}

function directoryOf(request: RequestOf[EffectKind]): string {
  return request.kind === 'approval' ? request.action.cwd : request.agent.cwd
}

function inDirectory(context: Context, cwd: string): Context {
  if (cwd === context.cwd) return context
  return { ...context, cwd, env: { ...context.env, PWD: cwd } }
}

/** Checked before anything is spent. */
export function requireDirectory({ cwd }: Context, { id }: Request): void {
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) return
  throw new BeckonError('invalid', `${id} was asked in ${cwd}, and that directory does not exist any more.`)
}

/** Nothing is done twice. `ask` is the command that asks anew. */
export function requireUnused({ id, usedAt }: Request, ask: string): void {
  if (usedAt !== null) throw usedAlready(id, ask)
}

export function usedAlready(id: string, ask: string): BeckonError {
  return new BeckonError('used', `${id} was used already, and nothing runs twice. Ask again: ${ask}`)
}
