import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Audience, Keyboard } from '../../supervisor/context.ts'
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

/** The person at the terminal of `beckon run`: sees what the agent prints, types to it, and is asked right there. */
export function createRunAudience(context: Context, hub: HubApi, { settings, interrupted, options }: Options) {
  const { stdout, stderr } = context
  const mayAnswer = !context.env.BECKON_TOKEN?.startsWith('beckon_run_')
  const isPersonHere = context.isTerminal && agentContext(context).marker === null && mayAnswer
  const typing = typedTo(context, settings)
  const nobody = new AbortController()
  let prompts: Promise<unknown> = Promise.resolve()
  const told = new Set<string>()
  let run: string | null = null
  const audience: Audience = {
    async onOutput(stream, bytes) {
      const to = stream === 'out' ? stdout : stderr
      // A reader that is slower than the agent slows it down; one that is gone does not.
      if (!to.write(bytes) && to.writable) await drained(to)
    },
    onStarted(started, keyboard) {
      run = started.id
      typing.start(keyboard)
    },
    announce,
    // What it says may quote the agent.
    say: text => stderr.write(`beckon: ${harmlessTitle(text)}\n`),
    signal: AbortSignal.any([interrupted.signal, nobody.signal]),
    hurry: interrupted.again,
    leave: new AbortController().signal,
  }
  return { ...audience, runId: () => run, isNobodyThere: () => nobody.signal.aborted, close: () => typing.close() }

  /** One prompt after the other; while one is there, what is typed is for it. */
  function announce(request: Request, settled: AbortSignal) {
    if (isPersonHere) {
      // A prompt that breaks leaves the request open; it is no reason to leave the run alone.
      prompts = prompts.then(() => (settled.aborted ? null : promptFor(request, settled))).catch(() => {})
    } else if (options.human === 'fail') {
      stderr.write('beckon: the agent asks, and nobody is there to answer (--no-human fail)\n')
      nobody.abort()
    } else if (!told.has(request.id)) {
      told.add(request.id)
      const how = mayAnswer
        ? `it is answered with: beckon answer ${request.id}`
        : `it is answered elsewhere: ${request.id}`
      stderr.write(`beckon: the agent asks; ${how}\n`)
    }
  }

  async function promptFor(request: Request, settled: AbortSignal) {
    typing.stop()
    const settlement = await promptInTerminal(context, hub, request, {
      signal: AbortSignal.any([settled, interrupted.signal]),
    })
    if (settlement && !settlement.won) stderr.write(`${describeOutcome(settlement.request)}\n`)
    const staysOpen = !settlement && !settled.aborted
    if (staysOpen) stderr.write(`beckon: it stays open: beckon answer ${request.id}\n`)
    typing.start()
    if (staysOpen) typing.lend(settled)
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
 * What a person types goes to the agent; its end only where that was asked for. An agent with a terminal gets every key as
 * it is, Ctrl-C too, and learns of the size of the window.
 */
function typedTo({ stdin, stderr }: Context, { stdin: how, pty }: Pick<RunSettings, 'stdin' | 'pty'>) {
  let keyboard: Keyboard | null = null
  const onData = (bytes: Buffer) => keyboard?.type(bytes)
  const onEnd = () => how === 'inherit' && keyboard?.end()
  const onResize = () =>
    stderr.columns && stderr.rows && keyboard?.resize({ columns: stderr.columns, rows: stderr.rows })
  const isRaw = Boolean(pty) && how !== 'none' && stdin.isTTY === true
  if (pty) stderr.on('resize', onResize)
  return {
    start(given: Keyboard | null = keyboard) {
      keyboard = given
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
    /** The agent is stopped, and could not obey Ctrl-C: until it goes on, that is for us. */
    lend(settled: AbortSignal) {
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
