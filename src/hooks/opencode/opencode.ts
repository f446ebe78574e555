import { randomUUID } from 'node:crypto'
import type { Request } from '../../protocol/request.ts'
import { decideCall } from '../../tool-calls/decide-call.ts'
import { type CallPlan, planCall } from '../../tool-calls/plan-call.ts'
import { raiseCall } from '../../tool-calls/raise-call.ts'
import type { ToolCall } from '../../tool-calls/tool-call.ts'
import { block, type Hook, type HookHost, type HookReply } from '../hook.ts'
import { type Answer, type CallDocument, type QuestionDocument, readDocument } from './document.ts'
import { answersOf, askOfQuestions } from './questions.ts'
import { waitForPerson } from './wait-for-person.ts'

/** What our plugin for opencode asks. opencode itself sets no limit to how long a call may wait. */
export const opencodeHook: Hook = {
  wait: 24 * 3_600_000,
  async answer(input, host) {
    const document = readDocument(input)
    if (document.event === 'judge') return say(await judge(document, host))
    return say(document.event === 'question' ? await askQuestions(document, host) : await ask(document, host))
  },
  refuse: (_, message) => block(message),
}

/** Opens no hub where nothing was ever stored: most commands are harmless. */
async function judge(document: CallDocument, host: HookHost): Promise<Answer> {
  // Nothing is bound here, only judged: what was hashed is thrown away.
  const hmac = () => '0'.repeat(64)
  const plan = planCall(callOf(document, host), { env: host.env, rules: await host.rules(), hmac })
  if (plan.verdict === 'deny') return { decision: 'deny', reason: refused(plan) }
  // What a person's rule allows is recorded, as every other yes.
  if (plan.verdict === 'ask' || plan.rule !== null) return { decision: 'ask', reason: plan.reason }
  return { decision: 'allow' }
}

async function ask(document: CallDocument, host: HookHost): Promise<Answer> {
  const call = callOf(document, host)
  const { hub, hmac } = await host.open()
  const surroundings = { env: host.env, rules: await host.rules(), hmac }
  const plan = planCall(call, surroundings)
  if (plan.verdict === 'deny') return { decision: 'deny', reason: refused(plan) }
  const request = await waitForPerson(hub, await raiseCall(hub, plan), document.pid, host)
  if (request.status === 'pending') return { decision: 'deny', reason: ticket(request) }
  const decision = await decideCall(hub, call, request, { surroundings, nonce: randomUUID() })
  if (decision?.behavior !== 'allow') return { decision: 'deny', reason: decision?.message ?? ticket(request) }
  return { decision: 'allow', ...(decision.input === null ? {} : { input: decision.input }) }
}

async function askQuestions(document: QuestionDocument, host: HookHost): Promise<Answer> {
  const { hub } = await host.open()
  const raised = await hub.raise(askOfQuestions(document, host.run))
  const request = await waitForPerson(hub, raised, document.pid, host)
  // opencode's own dialog stays open.
  if (request.status === 'pending' || request.kind !== 'question') return { decision: 'withdrawn' }
  await hub.confirmDelivery(request.id)
  const answers = answersOf(request)
  return answers === null ? { decision: 'deny', reason: 'Not answered.' } : { decision: 'answered', answers }
}

function callOf({ session, id, tool, input, cwd }: CallDocument, { run }: HookHost): ToolCall {
  return { agent: 'opencode', session, id, tool, input, cwd, run }
}

function refused({ reason }: CallPlan): string {
  return `It was not run: ${reason}`
}

function ticket({ id }: Request): string {
  return `Nobody has answered ${id} yet. It was not run, and the request stays open. Go on with other work; later run "beckon approve --resume ${id}", which waits for the person and then runs the command.`
}

function say(output: Answer): HookReply {
  return { output, message: null, exitCode: 0 }
}
