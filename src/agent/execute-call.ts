import { join } from 'node:path'
import { digestOfAction } from '../approval/action-digest.ts'
import type { Edited } from '../protocol/answer.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { ApprovalRequest, Request } from '../protocol/request.ts'
import { editText } from '../rules/action-text.ts'
import { approve, spend } from './approving.ts'
import { ask, raiseFor, replyAndAwait, unheardBy } from './asking.ts'
import { cutOutput } from './context/cut.ts'
import { cutOff, denied, failure, failureOf, notRun, repeatedTooOften } from './failure-texts.ts'
import type { EntryOf } from './journal/entries.ts'
import type { Call } from './journal/history.ts'
import { askedBackText, questionOutcome } from './outcome-text.ts'
import { presentPlan, refuseWhilePlanning } from './plan-mode.ts'
import type { CallResult, ToolContext, Waiting } from './tool-context.ts'
import { type AskTool, type DelegateTool, type Job, parseInput, type WorkTool } from './tools/tool.ts'

/** Brings a call to its one result, or as far as it gets without a person. Returns the requests that it waits for. */
export async function executeCall(context: ToolContext, call: Call): Promise<readonly Request[]> {
  const result = await attempt(context, call).catch(error => {
    // The hub cannot be reached, or the run has ended: the call stays open. The model can correct invalid input.
    if (error instanceof BeckonError && error.code !== 'invalid') throw error
    return failureOf(error)
  })
  if ('waiting' in result) return result.waiting
  await record(context, call, result)
  return []
}

async function attempt(context: ToolContext, call: Call): Promise<CallResult | Waiting> {
  if (call.started) return { output: cutOff, failed: true }
  const tool = context.toolOf(call.tool)
  if (!tool) return failure(`There is no tool ${call.tool}.`, `The tools are: ${context.toolNames().join(', ')}.`)
  const parsed = parseInput(tool, call.input)
  if ('problem' in parsed) return failure(parsed.problem, 'Call it again with the right input.')
  if (context.failures.isTooMany(call)) return { output: repeatedTooOften, failed: true }
  if (context.asking.signal.aborted && call.request === null && tool.kind !== 'delegate')
    return { output: notRun, failed: true }
  const refused = await refuseWhilePlanning(context, call, tool)
  if (refused) return refused
  context.emit({ type: 'call', call: call.id, tool: tool.name, title: tool.title(parsed.input as never) })
  switch (tool.kind) {
    case 'ask':
      return askUser(context, call, tool, parsed.input)
    case 'delegate':
      return delegate(context, call, tool, parsed.input)
    case 'plan':
      return presentPlan(context, call, tool, parsed.input)
    case 'work':
      return work(context, call, tool, parsed.input)
  }
}

async function askUser(context: ToolContext, call: Call, tool: AskTool, input: unknown): Promise<CallResult | Waiting> {
  const reply = tool.reply?.(input) ?? null
  const request = reply
    ? await replyAndAwait(context, call, reply)
    : await ask(context, call, () => raiseFor(context.asking, call.id, { ...tool.ask(input), canReply: true }))
  if (request.status === 'pending') return (await askedBack(context, call, request)) ?? { waiting: [request] }
  if (!request.outcome || request.kind !== 'question') return { waiting: [request] }
  return { ...questionOutcome(request, request.outcome), request }
}

/** A person wants to know something before they decide: that is the result, and the question stays open. */
async function askedBack(context: ToolContext, call: Call, request: Request): Promise<CallResult | null> {
  const messages = await unheardBy(context.asking, request)
  const last = messages.at(-1)
  if (!last) return null
  context.emit({ type: 'askedBack', call: call.id, request, messages })
  return { output: askedBackText(request, messages), askedBack: { request: request.id, message: last.id } }
}

async function delegate(
  context: ToolContext,
  call: Call,
  tool: DelegateTool,
  input: unknown,
): Promise<CallResult | Waiting> {
  const result = await context.delegate(call, tool.task(input))
  switch (result.status) {
    case 'waiting':
      return { waiting: result.questions }
    case 'failed':
      return failure(`The sub-agent failed: ${result.error}`, 'Do it yourself, or try again later.')
    case 'interrupted':
      return { output: notRun, failed: true }
    case 'limit':
      return { output: `${result.text}\n(It stopped at its limit of turns and may not be done.)` }
    case 'done':
      return { output: result.text || '(it said nothing)' }
  }
}

async function work(context: ToolContext, call: Call, tool: WorkTool, input: unknown): Promise<CallResult | Waiting> {
  const clearance = await clear(context, call, tool, input)
  if ('result' in clearance) return clearance.result
  const { approved, changed } = clearance
  // On the disk before anything happens: after a crash in the middle the model learns of it, and nothing runs twice.
  if (tool.effect === 'once') context.append({ type: 'started', call: call.id })
  const unusable = approved && (await spend(context, call, approved))
  if (unusable) return unusable
  const job: Job = {
    ...context.workspace,
    signal: context.asking.signal,
    allowed: approved !== null,
    outputFile: join(context.folder, 'results', `${fileName(call.id)}.txt`),
    onOutput: text => context.emit({ type: 'output', call: call.id, text }),
  }
  const output = await tool.run(clearance.input, job)
  if (tool.effect === 'once' && !output.failed) context.failures.reset()
  return changed === null ? output : { ...output, output: `The user changed it to: ${changed}\n${output.output}` }
}

interface Cleared {
  approved: ApprovalRequest | null
  input: unknown
  /** What a person approved instead of what the model wanted. */
  changed: string | null
}

type Clearance = Cleared | { result: CallResult | Waiting }

/** Whether the call may run now: it is harmless, or a person approved it and nothing has changed since they saw it. */
async function clear(context: ToolContext, call: Call, tool: WorkTool, input: unknown): Promise<Clearance> {
  for (let round = 0; ; round += 1) {
    const proposed = tool.judge?.(input, context.workspace) ?? null
    if (proposed?.verdict === 'deny') return { result: denied(proposed) }
    const approval = proposed?.verdict === 'ask' ? await approve(context, call, proposed, round) : null
    if (approval && approval.status !== 'granted') return { result: approval.result }
    await context.waitWhilePaused()
    if (context.asking.signal.aborted) return { result: { output: notRun, failed: true } }
    if (approval === null) return { approved: null, input, changed: null }
    const { request } = approval
    const edited = request.outcome?.edited
    if (edited) return clearEdited(context, tool, input, request, edited)
    const now = tool.judge?.(input, context.workspace)
    if (now && digestOfAction(now.action) === request.action.digest) return { approved: request, input, changed: null }
  }
}

/** A person's own version is judged like any other: what the guard refuses stays refused. */
function clearEdited(
  { workspace }: ToolContext,
  tool: WorkTool,
  input: unknown,
  approved: ApprovalRequest,
  edited: Edited,
): Clearance {
  const version = 'input' in edited ? edited.input : { ...(input as object), command: edited.command }
  const parsed = parseInput(tool, version)
  if ('problem' in parsed)
    return { result: failure(parsed.problem, 'The user changed it to that. Ask what they meant.') }
  const judged = tool.judge?.(parsed.input, workspace) ?? null
  if (judged?.verdict === 'deny') return { result: denied(judged) }
  return { approved, input: parsed.input, changed: editText(edited) }
}

/** The result is on the disk before the hub confirms the delivery; after a crash in between, it is taken from the disk. */
async function record(context: ToolContext, call: Call, result: CallResult): Promise<void> {
  const { failed = false, answers = [], files = [], request, askedBack, plan } = result
  const kept = cutOutput(result.output, join(context.folder, 'results', `${fileName(call.id)}.txt`))
  if (failed) context.failures.add(call)
  const entry: Omit<EntryOf<'result'>, 'at'> = {
    type: 'result',
    call: call.id,
    tool: call.tool,
    ...kept,
    failed,
    request: request?.id ?? null,
    answers: answers.map(({ question, answer }) => ({ question, answer })),
    files: [...files],
    ...(result.diff ? { diff: result.diff } : {}),
    ...(askedBack ? { askedBack } : {}),
    ...(plan ? { plan } : {}),
  }
  context.append(entry)
  context.emit({
    ...{ type: 'result', call: call.id, tool: call.tool, title: titleOf(context, call), ...kept, failed },
    ...(result.diff ? { diff: result.diff } : {}),
  })
  if (plan) context.emit({ type: 'planning', on: false })
  const { hub } = context.asking
  if (request) await hub.confirmDelivery(request.id)
  if (askedBack) await hub.messages.confirm(askedBack.request, askedBack.message)
}

/** Empty where the input is not the tool's. */
export function titleOf(
  { toolOf }: Pick<ToolContext, 'toolOf'>,
  { tool: name, input }: Pick<Call, 'tool' | 'input'>,
): string {
  const tool = toolOf(name)
  const parsed = tool ? parseInput(tool, input) : null
  return tool && parsed && 'input' in parsed ? tool.title(parsed.input) : ''
}

function fileName(call: string): string {
  return call.replaceAll(/[^\w.-]/g, '_').slice(-100)
}
