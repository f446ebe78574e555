import { environmentFor } from '../../approval/run-environment.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { ApprovalRequest } from '../../protocol/request.ts'
import { editText } from '../../rules/action-text.ts'
import type { Ending } from '../asking/ask-and-wait.ts'
import { deliver } from '../asking/deliver.ts'
import { requireDirectory, requireUnused, resume } from '../asking/resume.ts'
import type { Context } from '../context.ts'
import { beckonReporter } from '../output/reporter.ts'
import { requireExecutable } from '../spawn-command.ts'
import { type ApproveOptions, askAnew, planByRules, run, runEdited, spend, unusable, type Where } from './approve.ts'
import { refuse } from './refuse.ts'

/** Waits for an approval that was asked before, and runs its command once on a yes, in the directory it was asked in. */
export function resumeApproval(context: Context, id: string, options: ApproveOptions): Promise<number> {
  return resume(context, {
    id,
    kind: 'approval',
    options,
    reporter: beckonReporter(options.json),
    check,
    async onSettled(there, hub, request, told) {
      const { openKeyedHash } = await import('../../open-hub.ts')
      return carryOut({ context: there, hub, options, hmac: await openKeyedHash(there.env) }, request, told)
    },
  })
}

function check(there: Context, request: ApprovalRequest): void {
  const [program = '', ...args] = wordsOf(request)
  requireUnused(request, askAnew)
  requireDirectory(there, request)
  if (args.length > 0 && request.outcome?.edited === undefined) requireExecutable(there, program)
}

/** The world may have changed since it was asked: everything is looked at once more before the yes is spent. */
async function carryOut(where: Where, request: ApprovalRequest, told: boolean): Promise<Ending> {
  const { context, hub, options } = where
  if (request.status !== 'answered') return deliver(context, hub, request, beckonReporter(options.json), { told })
  const edited = request.outcome?.edited
  if (edited !== undefined) return runEdited(where, request, editText(edited))
  // What steers programs is as it was when the person saw it, whatever shell resumes it.
  const passed = environmentFor(request.action.facts ?? { environment: [] }, context.env, where.hmac)
  if ('changed' in passed) throw changed(request, passed.changed)
  const recorded = { ...where, context: { ...context, env: passed.env } }
  const plan = await planByRules(recorded, wordsOf(request))
  if (plan.decision.verdict === 'deny') return refuse(context, plan, options.json ?? false)
  if (plan.digest !== request.action.digest) throw changed(request)
  const used = await spend(hub, request, plan.command)
  if (!used) throw await unusable(hub, request)
  return () => run(where, plan, used)
}

/** Several words are a program and its arguments; a shell reads a single command line. */
function wordsOf({ id, call, action: { argv, command, tool } }: ApprovalRequest): readonly string[] {
  if (tool === undefined && command !== undefined && !call?.id) return argv ?? [command]
  const what = tool === undefined ? 'of its agent' : `of ${tool}`
  throw new BeckonError('invalid', `${id} is a call ${what}: only the agent that asked can make it.`)
}

function changed({ id }: ApprovalRequest, variables: readonly string[] = []): BeckonError {
  const what =
    variables.length > 0
      ? `${variables.join(', ')} differs from when ${id} was asked`
      : `What ${id} shows has changed since`
  return new BeckonError('not_granted', `${what}, so its yes does not count. Ask again: ${askAnew}`)
}
