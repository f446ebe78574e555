import { hash } from 'node:crypto'
import { digestOfAction } from '../approval/action-digest.ts'
import type { Hmac } from '../approval/facts/hmac.ts'
import { describeReasons, judgeAction } from '../approval/judge-action.ts'
import { planCommand } from '../approval/plan.ts'
import { shellCallsOf } from '../approval/shell-tools.ts'
import type { UserRule } from '../guard/index.ts'
import type { AskInput } from '../protocol/ask.ts'
import type { CommandRule } from '../protocol/rule.ts'
import { isQuestionCall, questionsOfCall } from './question-call.ts'
import { boundCall, type ToolCall } from './tool-call.ts'

/** What is known of the machine and of people's rules. */
export interface Surroundings {
  readonly env: NodeJS.ProcessEnv
  readonly rules: readonly (UserRule | CommandRule)[]
  readonly hmac: Hmac
}

export interface CallPlan {
  readonly verdict: 'allow' | 'ask' | 'deny'
  /** Why the guard or a rule asks or refuses. */
  readonly reason: string
  /** The rule of a person that allows what would be asked about. */
  readonly rule: string | null
  /** What a yes is bound to; null for questions. */
  readonly digest: string | null
  readonly ask: AskInput
}

/** What the guard and people's rules say about the call, and what a person would be asked. Needs no hub. */
export function planCall(call: ToolCall, surroundings: Surroundings): CallPlan {
  const { session, run } = call
  const common = { run, session, agent: { name: call.agent, cwd: call.cwd } }
  if (isQuestionCall(call)) {
    // The host's id names the call, so that asking again after a crash is the same ask.
    const ask = { ...common, kind: 'question' as const, key: keyOf(call), questions: questionsOfCall(call) }
    return { verdict: 'ask', reason: 'The agent asks a question.', rule: null, digest: null, ask }
  }
  const { action, ...judged } = shellPlan(call, surroundings) ?? toolPlan(call, surroundings)
  return { ...judged, ask: { ...common, kind: 'approval', takeUp: true, call: boundCall(call), action } }
}

function keyOf({ session, id }: ToolCall): string {
  return `call:${hash('sha256', JSON.stringify([session, id]), 'base64url')}`
}

/** A shell that runs one command: bound to the files and variables that steer it, and covered by rules about commands. */
function shellPlan({ tool, input, cwd }: ToolCall, { env, rules, hmac }: Surroundings) {
  const { calls, isPlain } = shellCallsOf(tool, input, cwd)
  const [only] = calls
  if (!isPlain || only === undefined) return null
  const { decision, digest, action } = planCommand([only.command], { cwd: only.cwd, env }, rules, hmac)
  const { verdict, reasons, allowedBy } = decision
  return { verdict, reason: describeReasons(reasons), rule: idOf(allowedBy), digest, action }
}

function toolPlan({ tool, input, cwd }: ToolCall, { env, rules }: Surroundings) {
  const action = { tool, input, cwd }
  const { verdict, reasons, allowedBy } = judgeAction(action, { env, rules: rules.filter(isOfHub) })
  return { verdict, reason: describeReasons(reasons), rule: idOf(allowedBy), digest: digestOfAction(action), action }
}

function isOfHub(rule: UserRule | CommandRule): rule is CommandRule {
  return 'id' in rule
}

function idOf(rule: UserRule | CommandRule | null): string | null {
  return rule !== null && 'id' in rule ? rule.id : null
}
