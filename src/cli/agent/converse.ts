import { basename } from 'node:path'
import type { TurnResult } from '../../agent/events.ts'
import { agentFolder } from '../../agent/journal/folder.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Safe } from '../../supervisor/environment.ts'
import { homeOf } from '../../system/home.ts'
import { skinFor } from '../../terminal/conversation/skin.ts'
import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withSafe } from '../with-hub.ts'
import { openInputHistory } from './input-history.ts'
import { openAgent } from './open-agent.ts'
import type { AgentCommandOptions } from './options.ts'
import { promptForQuestions } from './questions.ts'
import { describeUsage, showEvents } from './show-events.ts'

/** A conversation in the terminal, until the person leaves it. */
export function converse(context: Context, mode: 'agent' | 'chat', options: AgentCommandOptions): Promise<number> {
  const { stdin, stderr } = context
  if (!stdin.isTTY || !stderr.isTTY) {
    const message = `beckon ${mode} needs a terminal. Without one: beckon agent run "what to do"`
    return Promise.reject(new BeckonError('invalid', message))
  }
  return withSafe(context, (hub, safe) => talk(context, { hub, safe }, mode, options), { agent: 'agent' })
}

async function talk(
  context: Context,
  place: { hub: HubApi; safe: Safe },
  mode: 'agent' | 'chat',
  options: AgentCommandOptions,
): Promise<number> {
  const { stdin, stderr, env } = context
  const terminal = { input: stdin, output: stderr, env }
  const skin = skinFor(terminal, options.plain ?? false)
  const { view } = skin
  const events = showEvents(view)
  let turn = new AbortController()
  let stopWaiting = new AbortController()
  let isTurn = false
  // What is typed while the agent works is there when it is done.
  const ahead = skin.listen(() => turn.abort())
  const questions = promptForQuestions(context, {
    hub: place.hub,
    plain: skin.isPlain,
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
  let { loop, run, isContinued } = await open(options)
  const history = openInputHistory(agentFolder(homeOf(env)))
  const never = new AbortController().signal
  view.note(`${loop.status().model} in ${harmlessTitle(context.cwd)}. /help tells what there is; Ctrl-D leaves.`)
  try {
    if (isContinued) await greet()
    for (;;) {
      const entered = await skin.readLine({
        hint: hint(),
        history: history.lines(),
        signal: never,
        text: ahead.take(),
      })
      if (entered === 'leave' || entered === null || run.stopped.aborted) break
      history.add(entered.text)
      const [command = ''] = entered.text.trim().split(/\s+/)
      if (!command.startsWith('/')) await takeTurn(entered.text)
      else if (await obey(command)) break
    }
    return exitCodes.fine
  } finally {
    view.suspend()
    left.abort()
    const waits = loop.isWaitingInput()
    loop.close()
    await run.end(waits ? 'asleep' : 'completed')
    if (waits) stderr.write('A question stays open. Answer it any time; beckon agent --continue goes on.\n')
  }

  async function open(options: AgentCommandOptions) {
    const opened = await openAgent(context, place, options, {
      mode,
      name: mode,
      onEvent(event) {
        events.show(event)
        questions.onEvent(event, AbortSignal.any([turn.signal, stopWaiting.signal]))
      },
    })
    questions.watch(opened.run.id, basename(opened.loop.folder), () => turn.signal, left.signal).catch(() => {})
    return opened
  }

  /** What was said last, and the turn that was cut off. */
  async function greet() {
    const said = loop.lastText()
    view.note(`The conversation goes on (${loop.messages().length} messages). It said last:`)
    view.say(said)
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
      const result = await loop.runTurn(text, { wait: true, stopWaiting: stopWaiting.signal, signal: turn.signal })
      await questions.idle()
      view.endReply()
      tell(result)
    } finally {
      isTurn = false
      ahead.stop()
      view.suspend()
    }
  }

  function tell(result: TurnResult) {
    switch (result.status) {
      case 'done':
        return
      case 'waiting':
        return view.note(
          'The question stays open. /answer asks it again; it can also be answered with beckon inbox.',
          'yellow',
        )
      case 'limit':
        return view.note('It stopped at the limit of turns. /continue lets it go on.', 'yellow')
      case 'interrupted':
        return view.note('Stopped. The conversation is kept.', 'yellow')
      case 'failed':
        return view.note(`The model could not be asked: ${harmlessTitle(result.error)}`, 'red')
    }
  }

  /** True when the person wants to leave. */
  async function obey(command: string): Promise<boolean> {
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
        ;({ loop, run, isContinued } = await open({ ...options, continue: false }))
        view.note('A new conversation.')
        return false
      }
      default:
        view.note(`There is no ${harmlessTitle(command)}. ${help}`)
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

const help = `/status   model, context, cost          /compact   summarise what was said now
/answer   ask the open question again   /continue  let it go on
/show     the whole last output         /reset     start anew
/exit     leave (Ctrl-D)                Alt-Enter  a line break`
