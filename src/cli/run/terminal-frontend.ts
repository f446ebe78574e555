import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { secretTypes } from '../../protocol/status.ts'
import type { RunFrontend } from '../../supervisor/context.ts'
import type { RunSettings } from '../../supervisor/settings.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { agentContext } from '../agent-context.ts'
import { promptInTerminal } from '../asking/prompt-in-terminal.ts'
import type { Context } from '../context.ts'
import type { Interruption } from '../interruption.ts'
import { quoteTyped } from './describe-typed.ts'
import { createTyping } from './typing.ts'

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
  const typing = createTyping(context, settings, typed => tell('You typed', typed, 'before you interrupted the agent'))
  const nobodyHere = new AbortController()
  let prompts: Promise<unknown> = Promise.resolve()
  let isPrompting = false
  /** Open requests that nobody is prompted for now. */
  const unanswered = new Map<string, { request: Request; settled: AbortSignal }>()
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
      typing.attach(input)
      listen()
    },
    onHeld() {
      // A request that opened meanwhile has its own word on what was typed.
      if (isPrompting || unanswered.size > 0) return
      stderr.write(
        'beckon: The agent has not read what you typed. It gets it when it reads; Enter on an empty line sends it now.\n',
      )
    },
    onUnread: typed => tell('The agent ended and did not read', typed),
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
    if (isPersonHere) return prompt(request, settled)
    if (options.human === 'fail') {
      stderr.write('beckon: The agent asks, and nobody is here to answer (--no-human fail).\n')
      nobodyHere.abort('Nobody was there to answer (--no-human fail)')
    } else if (!announced.has(request.id)) {
      announced.add(request.id)
      const how = mayAnswer ? `Answer with: beckon answer ${request.id}` : `Answer ${request.id} on the server.`
      stderr.write(`beckon: The agent asks. ${how}\n`)
      if (typing.isKeyboard) void typing.takeBack().then(typed => tellTypedAhead(request, typed))
      leaveOpen(request, settled)
    }
  }

  function prompt(request: Request, settled: AbortSignal) {
    // A prompt that fails leaves the request open, and the run goes on.
    prompts = prompts.then(() => (settled.aborted ? null : promptFor(request, settled))).catch(() => {})
  }

  async function promptFor(request: Request, settled: AbortSignal) {
    isPrompting = true
    unanswered.delete(request.id)
    typing.stop()
    try {
      tellTypedAhead(request, await typing.takeBack())
      const early: string[] = []
      const settlement = await promptInTerminal(context, hub, request, {
        signal: AbortSignal.any([settled, interrupted.signal]),
        onEarly: text => early.push(text),
      })
      tellTypedAhead(request, early.join('\n'))
      if (settlement || settled.aborted || interrupted.signal.aborted) return
      stderr.write(`beckon: The request stays open. Answer with: beckon answer ${request.id}\n`)
      stderr.write('beckon: The agent gets nothing you type until then. Enter asks you again, Ctrl-C stops the run.\n')
      leaveOpen(request, settled)
    } finally {
      isPrompting = false
      listen()
    }
  }

  function leaveOpen(request: Request, settled: AbortSignal) {
    unanswered.set(request.id, { request, settled })
    settled.addEventListener('abort', () => {
      if (unanswered.delete(request.id)) listen()
    })
    listen()
  }

  /** Decides where keys go: while a request is open, what a person types is meant neither for the agent nor as its answer. */
  function listen() {
    if (isPrompting) return
    const [oldest] = unanswered.values()
    if (!oldest || !typing.isKeyboard) return typing.toAgent()
    typing.divert(typed => {
      tell('You typed', typed, 'while a request is open')
      if (isPersonHere) prompt(oldest.request, oldest.settled)
    })
  }

  function tellTypedAhead(request: Request, typed: Buffer | string) {
    // It may be the secret itself, typed too early.
    const isSecret = request.kind === 'dependency' && secretTypes.includes(request.type)
    if (!isSecret) tell('You typed', typed, 'before the question was shown')
    else if (quoteTyped(String(typed)))
      stderr.write('beckon: What you typed before the question was shown was not sent.\n')
  }

  /** Says what did not reach the agent. */
  function tell(what: string, typed: Buffer | string, when?: string) {
    const quoted = quoteTyped(String(typed))
    if (quoted) stderr.write(`beckon: ${what} ${quoted}${when ? ` ${when}. It was not sent to the agent` : ''}.\n`)
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
