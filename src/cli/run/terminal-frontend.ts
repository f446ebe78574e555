import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { AgentInput, RunFrontend } from '../../supervisor/context.ts'
import type { RunSettings } from '../../supervisor/settings.ts'
import { setRawMode } from '../../terminal/raw-mode.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { agentContext } from '../agent-context.ts'
import { promptInTerminal } from '../asking/prompt-in-terminal.ts'
import type { Context } from '../context.ts'
import type { Interruption } from '../interruption.ts'
import { describeOutcome } from '../output/describe-outcome.ts'

interface Options {
  settings: RunSettings
  interrupted: Pick<Interruption, 'signal' | 'again'>
  options: { human?: 'fail' | 'park' | boolean }
}

/** The terminal of `beckon run`: a person there sees what the agent prints, types to it, and answers its requests. */
export function createTerminalFrontend(context: Context, hub: HubApi, { settings, interrupted, options }: Options) {
  const { stdout, stderr } = context
  const mayAnswer = !context.env.BECKON_TOKEN?.startsWith('beckon_run_')
  const isPersonHere = context.isTerminal && agentContext(context).marker === null && mayAnswer
  const typing = forwardTyping(context, settings)
  const nobodyHere = new AbortController()
  let prompts: Promise<unknown> = Promise.resolve()
  const announced = new Set<string>()
  let run: string | null = null
  const frontend: RunFrontend = {
    async onOutput(stream, bytes) {
      const to = stream === 'out' ? stdout : stderr
      // A reader that is slower than the agent slows it down; one that is gone does not.
      if (!to.write(bytes) && to.writable) await drained(to)
    },
    onStarted(started, input) {
      run = started.id
      typing.start(input)
    },
    announce,
    // The text may quote the agent.
    print: text => stderr.write(`beckon: ${harmlessTitle(text)}\n`),
    stop: AbortSignal.any([interrupted.signal, nobodyHere.signal]),
    kill: interrupted.again,
    leave: new AbortController().signal,
  }
  return { ...frontend, runId: () => run, isNobodyHere: () => nobodyHere.signal.aborted, close: () => typing.close() }

  /** One prompt at a time; while one is shown, typing goes to it. */
  function announce(request: Request, settled: AbortSignal) {
    if (isPersonHere) {
      // A prompt that fails leaves the request open, and the run goes on.
      prompts = prompts.then(() => (settled.aborted ? null : promptFor(request, settled))).catch(() => {})
    } else if (options.human === 'fail') {
      stderr.write('beckon: The agent asks, and nobody is here to answer (--no-human fail).\n')
      nobodyHere.abort('Nobody was there to answer (--no-human fail)')
    } else if (!announced.has(request.id)) {
      announced.add(request.id)
      const how = mayAnswer ? `Answer with: beckon answer ${request.id}` : `Answer ${request.id} on the server.`
      stderr.write(`beckon: The agent asks. ${how}\n`)
    }
  }

  async function promptFor(request: Request, settled: AbortSignal) {
    typing.stop()
    const settlement = await promptInTerminal(context, hub, request, {
      signal: AbortSignal.any([settled, interrupted.signal]),
    })
    if (settlement && !settlement.won) stderr.write(`${describeOutcome(settlement.request)}\n`)
    const staysOpen = !settlement && !settled.aborted
    if (staysOpen) stderr.write(`beckon: The request stays open. Answer with: beckon answer ${request.id}\n`)
    typing.start()
    if (staysOpen) typing.interruptUntil(settled)
  }
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise(resolve => {
    const events = ['drain', 'close', 'error'] as const
    const onAny = () => {
      for (const event of events) stream.off(event, onAny)
      resolve()
    }
    for (const event of events) stream.on(event, onAny)
  })
}

/**
 * Passes what a person types on to the agent, and the end of it only with `--stdin inherit`. An agent on a
 * pseudo-terminal gets every key as it is, Ctrl-C too, and the size of the window.
 */
function forwardTyping({ stdin, stderr }: Context, { stdin: how, pty }: Pick<RunSettings, 'stdin' | 'pty'>) {
  let input: AgentInput | null = null
  const onData = (bytes: Buffer) => input?.type(bytes)
  const onEnd = () => how === 'inherit' && input?.end()
  const onResize = () => stderr.columns && stderr.rows && input?.resize({ columns: stderr.columns, rows: stderr.rows })
  const isRaw = Boolean(pty) && how !== 'none' && stdin.isTTY === true
  if (pty) stderr.on('resize', onResize)
  return {
    start(to: AgentInput | null = input) {
      input = to
      if (how === 'none') return
      if (isRaw) setRawMode(stdin, true)
      stdin.on('data', onData)
      stdin.on('end', onEnd)
      stdin.resume()
    },
    stop() {
      stdin.off('data', onData)
      stdin.off('end', onEnd)
      if (isRaw) setRawMode(stdin, false)
      stdin.pause()
    },
    /** A stopped agent cannot react to Ctrl-C: until the request settles, it interrupts us. */
    interruptUntil(settled: AbortSignal) {
      if (!isRaw) return
      setRawMode(stdin, false)
      settled.addEventListener('abort', () => {
        if (stdin.listeners('data').includes(onData)) setRawMode(stdin, true)
      })
    },
    close() {
      this.stop()
      stderr.off('resize', onResize)
    },
  }
}
