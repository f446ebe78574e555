import { join } from 'node:path'
import { BeckonError } from '../protocol/errors.ts'
import { approve, spend } from './approving.ts'
import { ask, raiseFor } from './asking.ts'
import { cutOutput } from './context/cut.ts'
import { cutOff, denied, failure, fault, notRun, repeatedTooOften } from './failure-texts.ts'
import type { EntryOf } from './journal/entries.ts'
import type { Call } from './journal/history.ts'
import { questionOutcome } from './outcome-text.ts'
import type { Bench, Outcome, Waiting } from './tool-context.ts'
import { type AskTool, type DelegateTool, type Job, parseInput, type WorkTool } from './tools/tool.ts'

/** Brings a call to its one result, or as far as it comes without a person. */
export async function carryOut(bench: Bench, call: Call): Promise<Waiting> {
  const outcome = await attempt(bench, call).catch(error => {
    // The hub cannot be reached, or the run has ended: the call stays open. What it refuses is the model's to mend.
    if (error instanceof BeckonError && error.code !== 'invalid') throw error
    return fault(error)
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
  const judged = tool.judge?.(input, bench.place) ?? null
  if (judged?.verdict === 'deny') return denied(judged)
  const approval = judged?.verdict === 'ask' ? await approve(bench, call, tool.name, judged) : null
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

function fileName(call: string): string {
  return call.replaceAll(/[^\w.-]/g, '_').slice(-100)
}
