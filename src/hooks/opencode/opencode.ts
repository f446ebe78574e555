import { judgeCall } from '../../tool-calls/judge-call.ts'
import { type Asked, askAboutCall, askAside } from '../ask-about-call.ts'
import { block, type Hook, type HookHost, type HookReply } from '../hook.ts'
import { openCallsOf } from '../open-calls.ts'
import { type Answer, type CallDocument, type QuestionDocument, readDocument } from './document.ts'
import { answersOf, askOfQuestions } from './questions.ts'

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

async function judge(document: CallDocument, host: HookHost): Promise<Answer> {
  const { verdict, reason } = judgeCall(callOf(document, host), { env: host.env, rules: await host.rules() })
  if (verdict === 'allow') return { decision: 'allow' }
  return { decision: verdict, reason: verdict === 'deny' ? `Beckon's guard refuses it: ${reason}` : reason }
}

async function ask(document: CallDocument, host: HookHost): Promise<Answer> {
  const calls = openCallsOf(host.home, 'opencode', document.session)
  const asked = await askAboutCall(host, callOf(document, host), { calls })
  if (asked.how === 'pending') calls.leave(asked.request.id, asked.call)
  return answerOf(asked)
}

function callOf({ session, id, tool, input, cwd }: CallDocument, { run }: HookHost) {
  return { agent: 'opencode', session, id, tool, input, cwd, run }
}

function answerOf(asked: Asked): Answer {
  if (asked.how === 'withdrawn') return { decision: 'withdrawn' }
  if (asked.how === 'pending') return { decision: 'deny', reason: ticket(asked.request.id) }
  const { decision } = asked
  if (decision.behavior === 'deny') return { decision: 'deny', reason: decision.message }
  return { decision: 'allow', ...(decision.input === null ? {} : { input: decision.input }) }
}

function ticket(id: string): string {
  return `Not run: ${id} still waits for a person. Run "beckon wait ${id}" to wait for them, then make exactly the same call again.`
}

async function askQuestions(document: QuestionDocument, host: HookHost): Promise<Answer> {
  const request = await askAside(host, {
    ask: askOfQuestions(document, host.run),
    calls: openCallsOf(host.home, 'opencode', document.session),
    withdrawnAtLimit: "The hook's time is up",
  })
  // opencode's own dialog is answered, or stays open.
  if (request?.kind !== 'question') return { decision: 'withdrawn' }
  const { hub } = await host.open()
  await hub.confirmDelivery(request.id)
  const answers = answersOf(request)
  return answers === null ? { decision: 'deny', reason: 'Nobody answered it.' } : { decision: 'answered', answers }
}

function say(output: Answer): HookReply {
  return { output, message: null, exitCode: 0 }
}
