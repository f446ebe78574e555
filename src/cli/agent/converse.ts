import { basename } from 'node:path'
import type { TurnResult } from '../../agent/events.ts'
import { agentFolder } from '../../agent/journal/folder.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { FileSealer } from '../../supervisor/file-sealer.ts'
import { homeOf } from '../../system/home.ts'
import { openConversation } from '../../terminal/conversation/conversation.ts'
import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { describeSignal, interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withFileSealer } from '../with-hub.ts'
import { openInputHistory } from './input-history.ts'
import { openAgent } from './open-agent.ts'
import type { AgentCommandOptions } from './options.ts'
import { promptForQuestions } from './questions.ts'
import { describeUsage, showEvents } from './show-events.ts'

/** A conversation in the terminal, until the person leaves. */
export function converse(context: Context, mode: 'agent' | 'chat', options: AgentCommandOptions): Promise<number> {
  const { stdin, stderr } = context
  if (!stdin.isTTY || !stderr.isTTY) {
    const message = `beckon ${mode} needs a terminal. Without one, run: beckon agent run "what to do"`
    return Promise.reject(new BeckonError('invalid', message))
  }
  return withFileSealer(context, (hub, sealer) => talk(context, { hub, sealer }, mode, options), { agent: 'agent' })
}

async function talk(
  context: Context,
  services: { hub: HubApi; sealer: FileSealer },
  mode: 'agent' | 'chat',
  options: AgentCommandOptions,
): Promise<number> {
  const { stdin, stderr, env } = context
  const terminal = { input: stdin, output: stderr, env }
  const conversation = openConversation(terminal, options.plain ?? false)
  const { view } = conversation
  const events = showEvents(view)
  let turn = new AbortController()
  let stopWaiting = new AbortController()
  let isTurn = false
  // Keys typed while the agent works are kept for the next line.
  const ahead = conversation.listen(() => turn.abort())
  const questions = promptForQuestions(context, {
    hub: services.hub,
    plain: conversation.isPlain,
    suspend() {
      view.suspend()
      ahead.stop()
    },
    resume() {
      if (!isTurn) return
      view.resume()
      ahead.start()
    },
    say: text => view.note(text),
    onLeft: () => stopWaiting.abort(),
  })
  const left = new AbortController()
  // Ctrl-C is a key here. A closing terminal sends several signals, and the run is concluded after all of them.
  const terminated = interruption({ kept: true, names: ['SIGTERM', 'SIGHUP'] })
  let { loop, run, isContinued, heard } = await open(options)
  const history = openInputHistory(agentFolder(homeOf(env)))
  view.note(`${loop.status().model} in ${harmlessTitle(context.cwd)}. /help lists the commands; Ctrl-D leaves.`)
  try {
    if (isContinued) await showLastReply()
    for (;;) {
      const entered = await conversation.readLine({
        hint: hint(),
        history: history.lines(),
        signal: terminated.signal,
        text: ahead.take(),
      })
      if (entered === 'leave' || entered === null || run.stopped.aborted || terminated.signal.aborted) break
      history.add(entered.text)
      const [command = ''] = entered.text.trim().split(/\s+/)
      if (!command.startsWith('/')) await takeTurn(entered.text)
      else if (await runSlashCommand(command)) break
    }
    return terminated.by() === null ? exitCodes.fine : exitCodes.invalid
  } finally {
    left.abort()
    const waits = loop.isWaitingInput()
    const isCutOff = terminated.by() !== null && loop.isUnfinished()
    loop.close()
    if (waits) await run.end('asleep')
    else if (isCutOff) await run.fail(describeSignal(terminated.by()))
    else await run.end('completed')
    terminated.release()
    view.suspend()
    if (waits)
      stderr.write('A question stays open. Answer it at any time, then continue with: beckon agent --continue\n')
  }

  async function open(options: AgentCommandOptions) {
    const opened = await openAgent(context, services, options, {
      mode,
      name: mode,
      onEvent(event) {
        events.show(event)
        questions.onEvent(event, AbortSignal.any([turnSignal(), stopWaiting.signal]))
      },
    })
    questions.watch(opened.run.id, basename(opened.loop.folder), turnSignal, left.signal).catch(() => {})
    return opened
  }

  function turnSignal(): AbortSignal {
    return AbortSignal.any([turn.signal, terminated.signal])
  }

  /** Shows where the conversation was, and finishes a turn that was cut off. */
  async function showLastReply() {
    view.note(`Continuing the conversation (${loop.messages().length} messages). Its last reply:`)
    view.say(loop.lastText())
    view.endReply()
    if (loop.isUnfinished()) await takeTurn('')
  }

  async function takeTurn(text: string) {
    turn = new AbortController()
    stopWaiting = new AbortController()
    isTurn = true
    view.work('thinking')
    view.resume()
    ahead.start()
    try {
      heard(text)
      const result = await loop.runTurn(text, { wait: true, stopWaiting: stopWaiting.signal, signal: turnSignal() })
      await questions.idle()
      view.endReply()
      showEnd(result)
    } finally {
      isTurn = false
      ahead.stop()
      view.suspend()
    }
  }

  function showEnd(result: TurnResult) {
    switch (result.status) {
      case 'done':
        return
      case 'waiting':
        return view.note('The question stays open. Answer it with /answer, or with beckon inbox.', 'yellow')
      case 'limit':
        return view.note('The agent stopped at the limit of turns. Use /continue to continue.', 'yellow')
      case 'interrupted':
        return view.note('Stopped. The conversation is kept.', 'yellow')
      case 'failed':
        return view.note(`The request to the model failed: ${harmlessTitle(result.error)}`, 'red')
    }
  }

  /** True when the person wants to leave. */
  async function runSlashCommand(command: string): Promise<boolean> {
    switch (command) {
      case '/exit':
      case '/quit':
        return true
      case '/help':
        view.note(help)
        return false
      case '/status':
        view.note(status())
        return false
      case '/show':
        view.note(harmlessLines(events.lastOutput()) || '(nothing yet)')
        return false
      case '/answer':
      case '/continue':
        await takeTurn('')
        return false
      case '/compact':
        view.note((await loop.compact()) ? 'Summarised.' : 'There is nothing to summarise yet.')
        return false
      case '/reset': {
        await loop.reset()
        loop.close()
        await run.end('completed')
        ;({ loop, run, isContinued, heard } = await open({ ...options, continue: false }))
        view.note('Started a new conversation.')
        return false
      }
      default:
        view.note(`${harmlessTitle(command)} is not a command. ${help}`)
        return false
    }
  }

  function hint(): string {
    const { tokens, limit, waiting } = loop.status()
    const full = Math.round((tokens / limit) * 100)
    const cost = describeUsage(loop.status(), env)
    return [...(waiting > 0 ? ['a question is open: /answer'] : []), `context ${full} %`, cost].join(' · ')
  }

  function status(): string {
    const { model, tokens, counted, limit, answers, files } = loop.status()
    return [
      `model     ${model}`,
      `context   ${tokens.toLocaleString('en')} of ${limit.toLocaleString('en')} tokens${counted ? '' : ' (estimated)'}`,
      `used      ${describeUsage(loop.status(), env)}`,
      `kept      ${answers} answers, ${files} file names`,
      `run       ${run.id}`,
      `folder    ${harmlessTitle(loop.folder)}`,
    ].join('\n')
  }
}

const help = `/status   show model, context and cost    /compact   summarise the conversation now
/answer   answer the open question        /continue  continue after a stop
/show     show the last output in full    /reset     start a new conversation
/exit     leave (Ctrl-D)                  Alt-Enter  insert a line break`
