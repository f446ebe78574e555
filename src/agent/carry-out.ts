import { join } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import type { ApprovalRequest, Request } from '../protocol/request.ts'
import { type Desk, raiseFor, waitFor } from './asking.ts'
import { cutOff, type Failures, notRun, repeatedTooOften } from './calls.ts'
import { cutOutput } from './context/cut.ts'
import type { AgentEvent, TurnResult } from './events.ts'
import { digestOf } from './guard.ts'
import type { EntryOf, KeptAnswer, NewEntry } from './journal/entries.ts'
import type { Call } from './journal/history.ts'
import { questionOutcome, refusalOf } from './outcome-text.ts'
import {
  type AskTool,
  type DelegateTool,
  type Job,
  type Judgement,
  type Place,
  parseInput,
  type Tool,
  ToolFault,
  type WorkTool,
} from './tools/tool.ts'

/** What carrying out a call stands on. */
export interface Bench {
  readonly desk: Desk
  readonly place: Place
  readonly folder: string
  readonly failures: Failures
  toolOf(name: string): Tool | undefined
  toolNames(): string[]
  append(entry: NewEntry): void
  emit(event: EventWithoutPath): void
  /** Has a sub-agent do it; resumes it where it was. */
  delegate(call: Call, task: { name: string; prompt: string }): Promise<TurnResult>
  /** What the run is paused for is waited for here. */
  gate(): Promise<void>
}

export type EventWithoutPath = AgentEvent extends infer One
  ? One extends AgentEvent
    ? Omit<One, 'path'>
    : never
  : never

/** The requests that the call waits for; none when it has its result. */
export type Waiting = readonly Request[]

interface Outcome {
  readonly output: string
  readonly failed?: boolean
  readonly answers?: readonly KeptAnswer[]
  readonly files?: readonly string[]
  readonly request?: Request
}

/** Brings a call to its one result, or as far as it comes without a person. */
export async function carryOut(bench: Bench, call: Call): Promise<Waiting> {
  const outcome = await attempt(bench, call).catch(error => {
    if (error instanceof BeckonError) throw error
    return faultText(error)
  })
  if ('waiting' in outcome) return outcome.waiting
  await record(bench, call, outcome)
  return []
}

async function attempt(bench: Bench, call: Call): Promise<Outcome | { waiting: Waiting }> {
  const tool = bench.toolOf(call.tool)
  if (!tool) return failure(`There is no tool ${call.tool}.`, `The tools are: ${bench.toolNames().join(', ')}.`)
  if (call.started) return { output: cutOff, failed: true }
  const parsed = parseInput(tool, call.input)
  if ('problem' in parsed) return failure(parsed.problem, 'Call it again with the right input.')
  if (bench.failures.isTooMany(call)) return { output: repeatedTooOften, failed: true }
  if (bench.desk.signal.aborted && call.request === null && tool.kind !== 'delegate')
    return { output: notRun, failed: true }
  bench.emit({ type: 'call', call: call.id, tool: tool.name, title: tool.title(parsed.input as never) })
  switch (tool.kind) {
    case 'ask':
      return askUser(bench, call, tool, parsed.input)
    case 'delegate':
      return delegate(bench, call, tool, parsed.input)
    case 'work':
      return work(bench, call, tool, parsed.input)
  }
}

async function askUser(
  bench: Bench,
  call: Call,
  tool: AskTool,
  input: unknown,
): Promise<Outcome | { waiting: Waiting }> {
  const request = await ask(bench, call, () => raiseFor(bench.desk, call.id, tool.ask(input)))
  if (request.status === 'pending' || !request.outcome || request.kind !== 'question') return { waiting: [request] }
  return { ...questionOutcome(request, request.outcome), request }
}

async function delegate(
  bench: Bench,
  call: Call,
  tool: DelegateTool,
  input: unknown,
): Promise<Outcome | { waiting: Waiting }> {
  const result = await bench.delegate(call, tool.task(input))
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

async function work(bench: Bench, call: Call, tool: WorkTool, input: unknown): Promise<Outcome | { waiting: Waiting }> {
  const judgement: Judgement = (await tool.judge?.(input, bench.place)) ?? { verdict: 'allow' }
  if (judgement.verdict === 'deny') return denied(judgement)
  const approval = judgement.verdict === 'ask' ? await approve(bench, call, tool, judgement) : null
  if (approval && approval.status !== 'granted') return approval.outcome
  await bench.gate()
  if (bench.desk.signal.aborted) return { output: notRun, failed: true }
  // On the disk before anything happens: after a crash in the middle the model is told, and nothing runs twice.
  if (tool.effect === 'once') bench.append({ type: 'started', call: call.id })
  if (approval) {
    const unusable = await spend(bench, approval.request)
    if (unusable) return unusable
  }
  const job: Job = {
    ...bench.place,
    signal: bench.desk.signal,
    allowed: approval !== null,
    outputFile: join(bench.folder, 'results', `${fileName(call.id)}.txt`),
    onOutput: text => bench.emit({ type: 'output', call: call.id, text }),
  }
  const output = await tool.run(input, job)
  if (tool.effect === 'once' && !output.failed) bench.failures.forget()
  return output
}

/** A yes is used up before the command runs, never after. */
async function spend({ desk }: Bench, { id, action }: ApprovalRequest): Promise<Outcome | null> {
  try {
    await desk.hub.use(id, { digest: action.digest })
    return null
  } catch (error) {
    if (!(error instanceof BeckonError && ['lapsed', 'used', 'not_granted'].includes(error.code))) throw error
    return failure(`It was not run: ${error.message}`, 'Call it again if it is still needed; the user is asked again.')
  }
}

type Asked = Exclude<Judgement, { readonly verdict: 'allow'; readonly command?: never }>
type Approval =
  | { status: 'granted'; request: ApprovalRequest }
  | { status: 'refused' | 'waiting'; outcome: Outcome | { waiting: Waiting } }

/** Asks for exactly this action. A yes that lapsed before it could be used is asked for again. */
async function approve(bench: Bench, call: Call, tool: WorkTool, judged: Judgement): Promise<Approval> {
  const { command, severity, reasons, safer } = judged as Extract<Asked, { command: string }>
  const { cwd } = bench.desk
  const action = {
    command,
    cwd,
    digest: digestOf(tool.name, command, cwd),
    severity,
    reasons: reasons.map(reason => ({ ...reason, span: [...reason.span] as [number, number] })),
    safer,
  }
  for (let again = 0; ; again += 1) {
    const raise = () => raiseFor(bench.desk, call.id, { kind: 'approval', action }, again)
    const request = await (again === 0 ? ask(bench, call, raise) : askAnew(bench, call, raise))
    if (request.kind !== 'approval') throw new BeckonError('damaged', `${request.id} is no approval.`)
    if (request.status === 'pending' || !request.outcome) return { status: 'waiting', outcome: { waiting: [request] } }
    const isYes = request.status === 'answered' && request.outcome.answers[0]?.selected[0] === 'yes'
    if (!isYes) return { status: 'refused', outcome: { ...refusalOf(request, request.outcome), request } }
    if (request.usedAt === null && !hasLapsed(request)) return { status: 'granted', request }
  }
}

// A little less than the hub gives it, so that it is not lost between here and there.
const good = 14.5 * 60_000

function hasLapsed({ settledAt }: Request): boolean {
  return settledAt !== null && Date.now() - Date.parse(settledAt) > good
}

/** The call's own request: the one it has, or a new one, stored before anybody hears of it. */
async function ask(bench: Bench, call: Call, raise: () => Promise<Request>): Promise<Request> {
  return call.request === null ? askAnew(bench, call, raise) : take(bench, call, await bench.desk.hub.get(call.request))
}

async function askAnew(bench: Bench, call: Call, raise: () => Promise<Request>): Promise<Request> {
  const request = await raise()
  bench.append({ type: 'asked', call: call.id, request: request.id })
  return take(bench, call, request)
}

async function take(bench: Bench, call: Call, request: Request): Promise<Request> {
  if (request.status !== 'pending') return request
  bench.emit({ type: 'asked', call: call.id, request })
  const settled = await waitFor(bench.desk, request)
  if (settled.status !== 'pending') bench.emit({ type: 'settled', call: call.id, request: settled })
  return settled
}

/** The result is on the disk before the hub hears that the answer was taken: in between, it is taken again from here. */
async function record(bench: Bench, call: Call, outcome: Outcome): Promise<void> {
  const { failed = false, answers = [], files = [], request } = outcome
  const kept = cutOutput(outcome.output, join(bench.folder, 'results', `${fileName(call.id)}.txt`))
  if (failed) bench.failures.failed(call)
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
  bench.append(entry)
  bench.emit({ type: 'result', call: call.id, tool: call.tool, output: kept.output, failed })
  if (request) await bench.desk.hub.confirmDelivery(request.id)
}

function denied(judged: Judgement): Outcome {
  const { reasons, safer } = judged as Extract<Asked, { command: string }>
  const why = reasons.map(({ message }) => message).join('; ') || 'it is not allowed'
  return failure(
    `This is never run: ${why}.`,
    safer ? `Safer: ${safer}` : 'Find another way, or ask the user to do it.',
  )
}

function failure(problem: string, hint: string): Outcome {
  return { output: `Error: ${problem}\nHint: ${hint}`, failed: true }
}

function faultText(error: unknown): Outcome {
  if (error instanceof ToolFault) return failure(error.message, error.hint)
  const { code, message = String(error) } = error as NodeJS.ErrnoException
  return failure(message, hints[code ?? ''] ?? 'Try another way.')
}

const hints: Record<string, string> = {
  ENOENT: 'It does not exist; look for it with Glob.',
  EACCES: 'This is not permitted; ask the user.',
  EPERM: 'This is not permitted; ask the user.',
  EISDIR: 'It is a folder; name a file.',
  ENOTDIR: 'A part of the path is a file.',
  ENOSPC: 'The disk is full; tell the user.',
}

function fileName(call: string): string {
  return call.replaceAll(/[^\w.-]/g, '_').slice(-100)
}
