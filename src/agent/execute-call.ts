import { join } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import type { ApprovalRequest, Request } from '../protocol/request.ts'
import { approve, spend } from './approving.ts'
import { ask, raiseFor } from './asking.ts'
import { cutOutput } from './context/cut.ts'
import { cutOff, denied, failure, failureOf, notRun, repeatedTooOften } from './failure-texts.ts'
import type { EntryOf } from './journal/entries.ts'
import type { Call } from './journal/history.ts'
import { questionOutcome } from './outcome-text.ts'
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
  const tool = context.toolOf(call.tool)
  if (!tool) return failure(`There is no tool ${call.tool}.`, `The tools are: ${context.toolNames().join(', ')}.`)
  if (call.started) return { output: cutOff, failed: true }
  const parsed = parseInput(tool, call.input)
  if ('problem' in parsed) return failure(parsed.problem, 'Call it again with the right input.')
  if (context.failures.isTooMany(call)) return { output: repeatedTooOften, failed: true }
  if (context.asking.signal.aborted && call.request === null && tool.kind !== 'delegate')
    return { output: notRun, failed: true }
  context.emit({ type: 'call', call: call.id, tool: tool.name, title: tool.title(parsed.input as never) })
  switch (tool.kind) {
    case 'ask':
      return askUser(context, call, tool, parsed.input)
    case 'delegate':
      return delegate(context, call, tool, parsed.input)
    case 'work':
      return work(context, call, tool, parsed.input)
  }
}

async function askUser(context: ToolContext, call: Call, tool: AskTool, input: unknown): Promise<CallResult | Waiting> {
  const request = await ask(context, call, () => raiseFor(context.asking, call.id, tool.ask(input)))
  if (request.status === 'pending' || !request.outcome || request.kind !== 'question') return { waiting: [request] }
  return { ...questionOutcome(request, request.outcome), request }
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
  const { approved } = clearance
  // On the disk before anything happens: after a crash in the middle the model learns of it, and nothing runs twice.
  if (tool.effect === 'once') context.append({ type: 'started', call: call.id })
  const unusable = approved && (await spend(context, approved))
  if (unusable) return unusable
  const job: Job = {
    ...context.workspace,
    signal: context.asking.signal,
    allowed: approved !== null,
    outputFile: join(context.folder, 'results', `${fileName(call.id)}.txt`),
    onOutput: text => context.emit({ type: 'output', call: call.id, text }),
  }
  const output = await tool.run(input, job)
  if (tool.effect === 'once' && !output.failed) context.failures.reset()
  return output
}

type Clearance = { approved: ApprovalRequest | null } | { result: CallResult | Waiting }

/** Whether the call may run now: it is harmless, or a person approved it and nothing has changed since they saw it. */
async function clear(context: ToolContext, call: Call, tool: WorkTool, input: unknown): Promise<Clearance> {
  for (let round = 0; ; round += 1) {
    const action = tool.judge?.(input, context.workspace) ?? null
    if (action?.verdict === 'deny') return { result: denied(action) }
    const approval = action?.verdict === 'ask' ? await approve(context, call, action, round) : null
    if (approval && approval.status !== 'granted') return { result: approval.result }
    await context.waitWhilePaused()
    if (context.asking.signal.aborted) return { result: { output: notRun, failed: true } }
    if (approval === null) return { approved: null }
    const { request } = approval
    const now = tool.judge?.(input, context.workspace)
    if (now?.digest === request.action.digest) return { approved: request }
  }
}

/** The result is on the disk before the hub confirms the delivery; after a crash in between, it is taken from the disk. */
async function record(context: ToolContext, call: Call, result: CallResult): Promise<void> {
  const { failed = false, answers = [], files = [], request } = result
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
  }
  context.append(entry)
  context.emit({ type: 'result', call: call.id, tool: call.tool, output: kept.output, failed })
  if (request) await context.asking.hub.confirmDelivery(request.id)
}

function fileName(call: string): string {
  return call.replaceAll(/[^\w.-]/g, '_').slice(-100)
}
