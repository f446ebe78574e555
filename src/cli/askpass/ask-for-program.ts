import { randomUUID } from 'node:crypto'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { outcomeValue } from '../../rules/outcome-value.ts'
import { agentContext } from '../agent-context.ts'
import { nameOfAsker, waitingHere } from '../asking/ask-and-wait.ts'
import { waitUntilSettled } from '../asking/wait-until-settled.ts'
import type { Context } from '../context.ts'
import { interruption } from '../interruption.ts'
import { untilLogRedacts } from '../need/carry-out.ts'
import { describeOutcome } from '../output/describe-outcome.ts'
import { exitCodeOfRequest, exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { withHub } from '../with-hub.ts'
import { type CallingProgram, callingProgram, whenCallerEnds } from './calling-program.ts'
import { askOf, kindOfPrompt, type PromptKind } from './prompt.ts'

/**
 * Asks for what a program prompts for, and prints the answer for it. Programs read one line from stdout, and take exit 0
 * for an answer: everything else goes to stderr, and ends in another code. There is no ticket, because the program cannot
 * come back: it is waited for as long as the program lives.
 */
export async function askForProgram(context: Context, prompt: string): Promise<number> {
  const kind = kindOfPrompt(prompt, context.env.SSH_ASKPASS_PROMPT)
  const caller = callingProgram()
  const ended = whenCallerEnds(caller)
  const interrupted = interruption({ kept: true })
  const signal = AbortSignal.any([ended.signal, interrupted.signal])
  try {
    return await withHub(context, hub => askAndPrint(context, hub, { prompt, kind, caller, signal }), { wakes: false })
  } finally {
    ended.release()
    interrupted.release()
  }
}

interface Prompt {
  prompt: string
  kind: PromptKind
  caller: CallingProgram | null
  signal: AbortSignal
}

async function askAndPrint(context: Context, hub: HubApi, { prompt, kind, caller, signal }: Prompt): Promise<number> {
  const agent = agentContext(context)
  const raised = await hub.raise({
    ...askOf(prompt, kind, caller),
    run: agent.run,
    session: agent.sessionName,
    agent: { name: await nameOfAsker(hub, agent), cwd: context.cwd },
    // Two programs that ask the same at the same time need an answer each.
    key: `askpass-${randomUUID()}`,
  })
  const { promptsHere } = await waitingHere(context, { human: true })
  const settled = await waitUntilSettled(context, hub, raised, { promptsHere, timeout: forever, signal, hears: false })
  if (settled.status === 'pending' || signal.aborted) return withdraw(context, hub, settled)
  if (settled.status !== 'answered') {
    if (!promptsHere) context.stderr.write(`beckon: ${describeOutcome(settled)}\n`)
    await hub.confirmDelivery(settled.id)
    return exitCodeOfRequest(settled)
  }
  return settled.kind === 'question' ? printAnswer(context, hub, settled, kind) : printPassword(context, hub, settled)
}

// The longest delay of a timer: almost 25 days.
const forever = 2 ** 31 - 1

/** The program is gone, or does not wait any longer. A password that was entered in that moment is deleted. */
async function withdraw(context: Context, hub: HubApi, { id }: Request): Promise<number> {
  const { request } = await hub.cancel(id, { reason: 'The program that asked has ended' })
  if (request.kind === 'dependency' && request.status === 'answered') await takePassword(hub, request)
  context.stderr.write('beckon: The program that asked has ended, so the request was withdrawn.\n')
  return exitCodes.cancelled
}

async function printAnswer(context: Context, hub: HubApi, request: Request, kind: PromptKind): Promise<number> {
  const answer = outcomeValue(request)
  const isNo = kind === 'confirm' && answer !== 'yes'
  if (!isNo && kind !== 'notice') await print(context.stdout, `${answer ?? ''}\n`)
  await hub.confirmDelivery(request.id)
  return isNo ? exitCodes.invalid : exitCodes.fine
}

async function printPassword(context: Context, hub: HubApi, request: Request): Promise<number> {
  const password = await takePassword(hub, request, () => untilLogRedacts(context, request))
  try {
    await print(context.stdout, `${password}\n`)
    return exitCodes.fine
  } catch {
    context.stderr.write('beckon: The program that asked did not read the password. It is deleted; ask again.\n')
    return exitCodes.invalid
  }
}

/** Deleted before it is printed: no crash leaves it behind. In a run, its log must know the password first to redact it. */
async function takePassword(hub: HubApi, { id }: Request, untilKnown = async () => {}): Promise<string> {
  const { value } = await hub.use(id, { nonce: randomUUID() })
  await untilKnown()
  await hub.confirmDelivery(id)
  return value ?? ''
}
