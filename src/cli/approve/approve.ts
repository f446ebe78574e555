import type { Hmac } from '../../approval/facts/hmac.ts'
import { type Plan, planCommand } from '../../approval/plan.ts'
import { rulesFor } from '../../approval/project-rules.ts'
import { environmentFor } from '../../approval/run-environment.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { ApprovalRequest, Request } from '../../protocol/request.ts'
import { editText } from '../../rules/action-text.ts'
import { mayApprove } from '../../rules/careful-channel.ts'
import { bashStartFile, homePath } from '../../system/home.ts'
import { agentContext } from '../agent-context.ts'
import { type AskingOptions, type Ending, prepareToAsk, withHubUntilEnding } from '../asking/ask-and-wait.ts'
import { deliver } from '../asking/deliver.ts'
import { usedAlready } from '../asking/resume.ts'
import type { Context } from '../context.ts'
import { tellNotes } from '../output/notes.ts'
import { outcomeDocument } from '../output/outcome-document.ts'
import { printJson } from '../output/print-json.ts'
import { beckonReporter } from '../output/reporter.ts'
import { runCommand } from '../spawn-command.ts'
import { allowByRule, callOf } from './allow-by-rule.ts'
import { refuse } from './refuse.ts'

export interface ApproveOptions extends AskingOptions {
  json?: boolean
  why?: string
}

/** What it takes to carry out a yes. */
export interface Where {
  readonly context: Context
  readonly hub: HubApi
  readonly options: ApproveOptions
  readonly hmac: Hmac
}

interface Approving extends Where {
  readonly signal: AbortSignal
  readonly words: readonly string[]
}

/** How to ask for an approval that cannot be used any more. */
export const askAnew = 'beckon approve -- COMMAND'

/** The hub is open until it is known what to run; the command runs once the hub is closed. */
export function approve(context: Context, words: readonly string[], options: ApproveOptions): Promise<number> {
  return withHubUntilEnding(context, async (hub, signal) => {
    const { openKeyedHash } = await import('../../open-hub.ts')
    const hmac = await openKeyedHash(context.env)
    return decide({ context, hub, signal, words, options, hmac })
  })
}

/** The guard and people's rules decide: run it, ask a person first, or refuse it. */
async function decide(approving: Approving): Promise<Ending> {
  const { context, hub, signal, words, options } = approving
  const plan = await planByRules(approving, words)
  const { verdict, allowedBy } = plan.decision
  if (verdict === 'deny') return refuse(context, plan, options.json ?? false)
  const byRule = allowedBy && (await allowByRule(context, hub, plan, allowedBy))
  if (byRule) return () => run(approving, plan, byRule)
  if (verdict === 'allow' && allowedBy === null) return () => run(approving, plan, null)
  const ask = await prepareToAsk(context, {
    input: {
      kind: 'approval',
      takeUp: true,
      call: callOf(agentContext(context).session),
      action: plan.action,
      context: options.why ?? null,
    },
    options,
    reporter: beckonReporter(options.json),
    onSettled: (_, request, told) => onSettled(approving, request, told),
  })
  return ask(hub, signal)
}

/** The world may have changed while a person thought: everything is looked at once more before the yes is spent. */
async function onSettled(approving: Approving, request: Request, told: boolean): Promise<Ending> {
  const { context, hub, words, options, hmac } = approving
  if (request.status !== 'answered' || request.kind !== 'approval') {
    return deliver(context, hub, request, beckonReporter(options.json), { told })
  }
  const edited = request.outcome?.edited
  if (edited !== undefined) return runEdited(approving, request, editText(edited))
  const passed = environmentFor(request.action.facts ?? { environment: [] }, context.env, hmac)
  if ('changed' in passed) return askAgain(`${passed.changed.join(', ')} changed since it was shown`)
  const plan = planCommand(words, { cwd: context.cwd, env: passed.env }, [], hmac)
  if (plan.digest !== request.action.digest) return askAgain('what it names has changed since it was shown')
  const used = await spend(hub, request, plan.command)
  if (!used) return askAgain('that yes was used already, or has lapsed')
  return () => run(approving, plan, used)

  function askAgain(why: string): Promise<Ending> {
    context.stderr.write(`beckon: ${why}; asking again.\n`)
    return decide(approving)
  }
}

/** A person's own version is judged like any other: what the guard refuses stays refused. */
export async function runEdited(where: Where, request: ApprovalRequest, edited: string): Promise<Ending> {
  const { context, hub, options } = where
  const plan = await planByRules(where, [edited])
  const { verdict, severity } = plan.decision
  if (verdict === 'deny' || !mayApprove(severity, request.outcome?.channel ?? '')) {
    return refuse(context, plan, options.json ?? false)
  }
  const used = await spend(hub, request, edited)
  if (!used) throw await unusable(hub, request)
  context.stderr.write('beckon: approved with a change; running the changed command.\n')
  return () => run(where, plan, used)
}

export async function planByRules({ context, hub, hmac }: Where, words: readonly string[]): Promise<Plan> {
  return planCommand(words, context, await rulesFor(hub, context.cwd), hmac)
}

/** Null when another process used the yes first, or it has lapsed. */
export async function spend(hub: HubApi, { id, action }: ApprovalRequest, executed: string): Promise<Request | null> {
  try {
    return (await hub.use(id, { digest: action.digest, executed })).request
  } catch (error) {
    if (error instanceof BeckonError && (error.code === 'used' || error.code === 'lapsed')) return null
    throw error
  }
}

/** Why a yes could not be spent. */
export async function unusable(hub: HubApi, { id }: Request): Promise<BeckonError> {
  const { usedAt } = await hub.get(id)
  if (usedAt !== null) return usedAlready(id, askAnew)
  return new BeckonError('lapsed', `The yes to ${id} was not used in time and has lapsed. Ask again: ${askAnew}`)
}

/** With exactly the environment that was recorded, and the very program that was found. */
export async function run(
  { context, options: { json = false }, hmac }: Where,
  { argv, program, command, decision, facts }: Plan,
  approved: Request | null,
): Promise<number> {
  const passed = environmentFor(facts, context.env, hmac)
  if ('changed' in passed) {
    throw new BeckonError('invalid', `Not run: ${passed.changed.join(', ')} changed since it was shown. Run it again.`)
  }
  const { env } = passed
  // What every run has in its environment, from us, is not worth a line.
  const ours = context.env.BASH_ENV === bashStartFile(homePath(context.env))
  const removed = passed.removed.filter(name => !(ours && name === 'BASH_ENV'))
  if (approved && !json) tellNotes(context, approved)
  if (removed.length > 0) context.stderr.write(`beckon: not passed on: ${removed.join(', ')}\n`)
  const exitCode = await runCommand({ ...context, env }, argv, {}, { stdoutToStderr: json, program })
  if (json) {
    const { severity, reasons, safer } = decision
    const outcome = approved ? outcomeDocument(approved) : { id: null, status: 'allowed' }
    await printJson(context.stdout, { ...outcome, severity, reasons, safer, executed: command, exitCode })
  }
  return exitCode
}
