import { basename } from 'node:path'
import type { AgentEvent, TurnResult } from '../../agent/events.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Safe } from '../../supervisor/environment.ts'
import { skinFor } from '../../terminal/conversation/skin.ts'
import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { printTicket } from '../asking/ticket.ts'
import type { Context } from '../context.ts'
import { patienceOf } from '../durations.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { printJson } from '../output/output.ts'
import { print } from '../output/print.ts'
import { beckonVoice } from '../output/reporter.ts'
import { interruption } from '../signals.ts'
import { withSafe } from '../with-hub.ts'
import { openAgent } from './open-agent.ts'
import type { AgentCommandOptions } from './options.ts'
import { promptForQuestions } from './questions.ts'
import { describeUsage, showEvents } from './show-events.ts'

/** One task. What the agent says at the end goes to stdout, everything else to stderr; with --json every event is a line. */
export function runTask(context: Context, task: string | undefined, options: AgentCommandOptions): Promise<number> {
  if (task === undefined && !options.continue) {
    return Promise.reject(invalid([{ path: 'task', message: 'is missing; write: beckon agent run "what to do"' }]))
  }
  return withSafe(context, (hub, safe) => work(context, { hub, safe }, task ?? '', options), { agent: 'agent' })
}

async function work(
  context: Context,
  place: { hub: HubApi; safe: Safe },
  task: string,
  options: AgentCommandOptions,
): Promise<number> {
  const { hub } = place
  const { stdin, stdout, stderr, env } = context
  const interrupted = interruption()
  const { signal } = interrupted
  const stopWaiting = new AbortController()
  const unanswered = new Set<string>()
  const moves = !options.json && Boolean(stderr.isTTY)
  const { view, isPlain } = skinFor({ input: stdin, output: stderr, env }, options.plain ?? false)
  const events = showEvents(view)
  const longest = await patienceOf(env)
  let giveUp: NodeJS.Timeout | null = null
  let nobody = false
  const questions = promptForQuestions(context, {
    hub,
    plain: isPlain,
    suspend: view.suspend,
    resume: () => moves && view.resume(),
    say: text => options.json || stderr.write(`beckon: ${text}\n`),
    onLeft: () => stopWaiting.abort(),
  })
  const { loop, run } = await openAgent(context, place, options, {
    mode: 'agent',
    name: harmlessTitle(task).slice(0, 100) || null,
    onEvent,
  })
  const over = new AbortController()
  questions.watch(run.id, basename(loop.folder), () => signal, over.signal).catch(() => {})
  try {
    if (moves) view.resume()
    view.work('thinking')
    const result = await loop.runTurn(task, { wait: true, stopWaiting: stopWaiting.signal, signal })
    await questions.idle()
    view.suspend()
    return await end(result)
  } finally {
    view.suspend()
    over.abort()
    patient()
    interrupted.release()
    loop.close()
  }

  function onEvent(event: AgentEvent) {
    if (options.json) void printJson(stdout, event).catch(() => {})
    else if (moves) events.show(event)
    if (event.type === 'asked') unanswered.add(event.request.id)
    if (event.type === 'settled') unanswered.delete(event.request.id)
    if (!questions.isPersonHere && (event.type === 'asked' || event.type === 'settled')) hurry()
    questions.onEvent(event, AbortSignal.any([signal, stopWaiting.signal]))
  }

  /** Nobody is here to answer: it is waited for somebody elsewhere, though not forever. */
  function hurry() {
    patient()
    if (unanswered.size === 0) return
    nobody = options.human === 'fail'
    giveUp = setTimeout(() => stopWaiting.abort(), nobody ? 0 : longest)
  }

  function patient() {
    if (giveUp) clearTimeout(giveUp)
    giveUp = null
  }

  async function end(result: TurnResult): Promise<number> {
    if (options.json) await printJson(stdout, { type: 'end', ...result, usage: loop.status().usage })
    switch (result.status) {
      case 'done':
        await run.end('completed', exitCodes.fine)
        // On a screen it has been shown already, as it came.
        if (!options.json && !(moves && stdout.isTTY)) await print(stdout, `${shown(result.text)}\n`)
        if (moves) stderr.write(`${describeUsage(loop.status(), env)}\n`)
        return exitCodes.fine
      case 'waiting':
        if (nobody) return unanswerable(result.questions.map(({ id }) => id))
        await run.end('asleep')
        stderr.write('beckon: it waits for an answer. Afterwards: beckon agent run --continue\n')
        if (!options.json) await printTicket(context, result.question, beckonVoice())
        return exitCodes.pending
      case 'limit':
        await run.end('failed', exitCodes.invalid)
        stderr.write('beckon: it stopped at the limit of turns. Let it go on with: beckon agent run --continue\n')
        return exitCodes.invalid
      case 'interrupted':
        await run.end('failed', exitCodes.invalid)
        stderr.write('beckon: interrupted. It goes on with: beckon agent run --continue\n')
        return exitCodes.invalid
      case 'failed':
        await run.end('failed', exitCodes.invalid)
        stderr.write(`beckon: the model could not be asked: ${harmlessTitle(result.error)}\n`)
        return exitCodes.invalid
    }
  }

  /** A program gets the very bytes. */
  function shown(text: string): string {
    return stdout.isTTY ? harmlessLines(text) : text
  }

  /** Withdrawn, so that nobody answers for nothing; nothing is assumed in their place. */
  async function unanswerable(ids: readonly string[]): Promise<number> {
    for (const id of ids) await hub.cancel(id, { reason: 'Nobody could be asked (--no-human fail)' })
    await run.end('failed', exitCodes.nobody)
    throw new BeckonError('nobody', 'The agent has a question, and nobody can be asked here (--no-human fail).')
  }
}
