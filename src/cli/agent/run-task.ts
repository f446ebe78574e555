import { basename } from 'node:path'
import type { AgentEvent, TurnResult } from '../../agent/events.ts'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { FileSealer } from '../../supervisor/file-sealer.ts'
import { openProgressView } from '../../terminal/conversation/progress.ts'
import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import { printTicket } from '../asking/ticket.ts'
import type { Context } from '../context.ts'
import { waitLimit } from '../durations.ts'
import { describeSignal, interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { beckonReporter } from '../output/reporter.ts'
import { withFileSealer } from '../with-hub.ts'
import { noticesOf } from './notices.ts'
import { openAgent } from './open-agent.ts'
import type { AgentCommandOptions } from './options.ts'
import { promptForQuestions } from './questions.ts'
import { describeUsage, showEvents } from './show-events.ts'

const continueCommand = 'beckon agent run --continue'
// The conversation uses what it asked for: a command that resumed the request would take it away.
const reporter = { ...beckonReporter(), resumeCommand: () => continueCommand }

/** One task. The agent's last reply goes to stdout, everything else to stderr; with --json every event is a line. */
export function runTask(context: Context, task: string | undefined, options: AgentCommandOptions): Promise<number> {
  if (task === undefined && !options.continue) {
    return Promise.reject(invalid([{ path: 'task', message: 'is missing. Run: beckon agent run "what to do"' }]))
  }
  return withFileSealer(context, (hub, sealer) => work(context, { hub, sealer }, task ?? '', options), {
    agent: 'agent',
  })
}

async function work(
  context: Context,
  services: { hub: HubApi; sealer: FileSealer },
  task: string,
  options: AgentCommandOptions,
): Promise<number> {
  const { hub } = services
  const { stdin, stdout, stderr, env } = context
  const interrupted = interruption()
  const { signal } = interrupted
  const stopWaiting = new AbortController()
  const unanswered = new Set<string>()
  const moves = !options.json && Boolean(stderr.isTTY)
  const progress = openProgressView({ input: stdin, output: stderr, env }, options.plain ?? false)
  const { view } = progress
  const events = showEvents(view, { isTold: request => questions.isTold(request) })
  const longestWait = await waitLimit(env)
  let timer: NodeJS.Timeout | null = null
  let failsWithoutPerson = false
  const questions = promptForQuestions(context, {
    hub,
    plain: progress.isPlain,
    suspend: progress.hide,
    resume: () => moves && progress.show(),
    say: text => options.json || stderr.write(`beckon: ${text}\n`),
    onLeft: () => stopWaiting.abort(),
  })
  const { loop, run, heard } = await openAgent(context, services, options, {
    mode: 'agent',
    name: harmlessTitle(task).slice(0, 100) || null,
    onEvent,
  })
  const over = new AbortController()
  questions.watch(run.id, basename(loop.folder), () => signal, over.signal).catch(() => {})
  try {
    if (moves) progress.show()
    view.work('thinking', events.startTurn())
    heard(task)
    const result = await loop.runTurn(task, { wait: true, stopWaiting: stopWaiting.signal, signal })
    await questions.idle()
    progress.close()
    return await end(result)
  } catch (error) {
    // Does nothing where the run has ended already.
    await run.fail(error instanceof Error ? error.message : String(error), exitCodes.invalid)
    throw error
  } finally {
    progress.close()
    over.abort()
    stopTimer()
    interrupted.release()
    loop.close()
  }

  function onEvent(event: AgentEvent) {
    if (options.json) void printJson(stdout, event).catch(() => {})
    else if (moves) events.show(event)
    else for (const notice of noticesOf(event)) stderr.write(`beckon: ${notice}\n`)
    if (event.type === 'asked') unanswered.add(event.request.id)
    const isOver = event.type === 'settled' || event.type === 'askedBack'
    if (isOver) unanswered.delete(event.request.id)
    if (!questions.isPersonHere && (event.type === 'asked' || isOver)) restartTimer()
    questions.onEvent(event, AbortSignal.any([signal, stopWaiting.signal]))
  }

  /** Nobody is at this terminal: waits for an answer from elsewhere, though not forever. */
  function restartTimer() {
    stopTimer()
    if (unanswered.size === 0) return
    failsWithoutPerson = options.human === 'fail'
    timer = setTimeout(() => stopWaiting.abort(), failsWithoutPerson ? 0 : longestWait)
  }

  function stopTimer() {
    if (timer) clearTimeout(timer)
    timer = null
  }

  async function end(result: TurnResult): Promise<number> {
    if (options.json) await printJson(stdout, { type: 'end', ...result, usage: loop.status().usage })
    switch (result.status) {
      case 'done':
        await run.end('completed', exitCodes.fine)
        // A terminal has already shown it, as it arrived.
        if (!options.json && !(moves && stdout.isTTY)) await print(stdout, `${shown(result.text)}\n`)
        if (moves) stderr.write(`${describeUsage(loop.status(), env)}\n`)
        return exitCodes.fine
      case 'waiting':
        if (failsWithoutPerson) return withdraw(result.questions.map(({ id }) => id))
        await run.end('asleep')
        stderr.write(`beckon: waiting for an answer. Once it is there, run: ${continueCommand}\n`)
        if (!options.json) await printTicket(context, result.question, reporter)
        return exitCodes.pending
      case 'limit':
        await run.fail('It reached --max-turns', exitCodes.invalid)
        stderr.write(`beckon: stopped at --max-turns. Continue with: ${continueCommand}\n`)
        return exitCodes.invalid
      case 'interrupted':
        await run.fail(describeSignal(interrupted.by()), exitCodes.invalid)
        stderr.write(`beckon: interrupted. Continue with: ${continueCommand}\n`)
        return exitCodes.invalid
      case 'failed':
        await run.fail(`The request to the model failed: ${result.error}`, exitCodes.invalid)
        stderr.write(`beckon: the request to the model failed: ${harmlessTitle(result.error)}\n`)
        return exitCodes.invalid
    }
  }

  /** A program gets the exact bytes. */
  function shown(text: string): string {
    return stdout.isTTY ? harmlessLines(text) : text
  }

  /** Withdraws the questions, so that nobody answers for nothing. */
  async function withdraw(ids: readonly string[]): Promise<number> {
    for (const id of ids) await hub.cancel(id, { reason: 'Nobody could be asked (--no-human fail)' })
    await run.fail('Nobody could be asked (--no-human fail)', exitCodes.nobody)
    throw new BeckonError('nobody', 'The agent has a question, and nobody can answer it here (--no-human fail).')
  }
}
