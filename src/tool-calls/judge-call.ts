import { describeReasons, judgeAction } from '../approval/judge-action.ts'
import type { CommandRule } from '../protocol/rule.ts'
import { isQuestionCall } from './question-call.ts'
import type { ToolCall } from './tool-call.ts'

export interface CallJudgement {
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** Why the guard or a rule asks or refuses. */
  readonly reason: string
  /** Whether a person's rule may allow what would otherwise be asked about: only a plan tells. */
  readonly hasRule: boolean
}

/**
 * The same verdict as `planCall`, without looking at what a yes would be bound to: quick, because hosts tell us of every
 * call, and most of them are harmless.
 */
export function judgeCall(
  call: ToolCall,
  { env, rules }: { env: NodeJS.ProcessEnv; rules: readonly CommandRule[] },
): CallJudgement {
  if (isQuestionCall(call)) return { verdict: 'ask', reason: 'The agent asks a question.', hasRule: false }
  const { tool, input, cwd } = call
  const { verdict, reasons, allowedBy } = judgeAction({ tool, input, cwd }, { env, rules })
  const mayBeAllowed = verdict === 'ask' && rules.some(rule => rule.verdict === 'allow')
  return {
    verdict: allowedBy === null ? verdict : 'ask',
    reason: describeReasons(reasons),
    hasRule: allowedBy !== null || mayBeAllowed,
  }
}
