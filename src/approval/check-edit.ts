import type { Context } from '../cli/context.ts'
import { BeckonError, invalid } from '../protocol/errors.ts'
import type { ApprovalRequest } from '../protocol/request.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { planFor } from './plan.ts'
import { rulesFor } from './project-rules.ts'

/** What a person writes is judged, too: a slip of theirs can destroy as much. It is judged again where it runs. */
export async function checkEdit(context: Context, { action }: ApprovalRequest, edited: string): Promise<void> {
  if (edited.trim() === '') throw invalid([{ path: 'edit', message: 'is empty' }])
  const { decision } = planFor(context, [edited], await rulesFor(context, action.cwd), action.cwd)
  const why = decision.reasons.map(({ message }) => harmlessTitle(message)).join('; ')
  if (decision.verdict === 'deny') throw new BeckonError('invalid', `edit: is refused: ${why}. Nothing was answered.`)
  if (decision.severity === 'critical') {
    throw new BeckonError('not_allowed', `A critical action is approved in a terminal or in the browser (${why}).`)
  }
  if (decision.verdict === 'ask') context.stderr.write(`beckon: your version: ${why}\n`)
}
