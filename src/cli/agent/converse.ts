import { basename } from 'node:path'
import type { TurnResult } from '../../agent/events.ts'
import { agentFolder } from '../../agent/journal/folder.ts'
import { type PersonMessage, stoppedByPerson } from '../../agent/options.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { FileSealer } from '../../supervisor/file-sealer.ts'
import { homeOf } from '../../system/home.ts'
import { openConversation } from '../../terminal/conversation/open.ts'
import { openPager } from '../../terminal/pager.ts'
import { paintDiff } from '../../terminal/paint-diff.ts'
import { pick } from '../../terminal/pick.ts'
import { harmlessLines, harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { describeSignal, interruption } from '../interruption.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { withFileSealer } from '../with-hub.ts'
import { createCompleter } from './complete/complete.ts'
import { describeEnd } from './describe-end.ts'
import { openInputDraft } from './input-draft.ts'
import { openInputHistory } from './input-history.ts'
import { showLastScreen } from './last-screen.ts'
import { openAgent } from './open-agent.ts'
import type { AgentCommandOptions } from './options.ts'
import { createOwnCommands } from './own-commands.ts'
import { promptForQuestions } from './questions.ts'
import { describeUsage, showEvents } from './show-events.ts'
import type { SlashContext } from './slash/command.ts'
import { isSlashCommand, runSlashCommand } from './slash/run.ts'

/** A conversation in the terminal, until the person leaves. */
export function converse(
  context: Context,
  mode: 'agent' | 'chat',
  options: AgentCommandOptions,
  task = '',
): Promise<number> {
  const { stdin, stderr } = context
  if (!stdin.isTTY || !stderr.isTTY) {
    const message = `beckon ${mode} needs a terminal. Without one, run: beckon agent run "what to do"`
    return Promise.reject(new BeckonError('invalid', message))
  }
  return withFileSealer(context, (hub, sealer) => talk(context, { hub, sealer }, mode, options, task), {
    agent: 'agent',
  })
}

async function talk(
  context: Context,
  services: { hub: HubApi; sealer: FileSealer },
  mode: 'agent' | 'chat',
  options: AgentCommandOptions,
  task: string,
): Promise<number> {
  const { stdin, stderr, env } = context
  const terminal = { input: stdin, output: stderr, env }
  const history = openInputHistory(agentFolder(homeOf(env)))
  const draft = openInputDraft()
  const ownCommands = createOwnCommands()
  const conversation = openConversation(terminal, options.plain ?? false, {
    history: history.lines,
    complete: createCompleter(context.cwd, () => conversation.suggest()),
    onInterrupt: () => turn.abort(stoppedByPerson),
    onClosed: () => terminated.interrupt('SIGHUP'),
    onShow: showOutput,
    useTerminal: use => questions.betweenPrompts(use),
    saveDraft: unsent => draft.save(loop.folder, unsent),
  })
  const { view, print } = conversation
  const events = showEvents(view, {
    isTold: request => questions.isTold(request),
    howToOpen: lines => (conversation.isPlain ? '/show' : `Ctrl-O or /show opens ${lines === 1 ? 'it' : 'them'}`),
  })
  let turn = new AbortController()
  let stopWaiting = new AbortController()
  const questions = promptForQuestions(context, {
    hub: services.hub,
    plain: conversation.isPlain,
    suspend: conversation.pause,
    resume: conversation.resume,
    say: text => view.note(text),
    onEarly: conversation.insert,
    onLeft: () => stopWaiting.abort(),
  })
  const left = new AbortController()
  // Ctrl-C is a key here. A closing terminal sends several signals, and the run is concluded after all of them.
  const terminated = interruption({ kept: true, names: ['SIGTERM', 'SIGHUP'] })
  let { loop, run, isContinued, heard } = await open(options)
  const slashContext: SlashContext = {
    ...{ view, env, takeTurn, runStoppable, startOver, showOutput, isPlain: conversation.isPlain },
    ...{ cwd: context.cwd, hub: services.hub, isPersonHere: questions.isPersonHere },
    offer: conversation.insert,
    pick: pickRow,
    get loop() {
      return loop
    },
    get run() {
      return run
    },
  }
  view.note(`${loop.status().model} in ${harmlessTitle(context.cwd)}. /help lists the commands; Ctrl-D leaves.`)
  conversation.start(draft.load(loop.folder))
  try {
    if (isContinued) {
      await showLastScreen(loop, { view, print, events, questions })
      // What a person stopped goes on when they say so.
      if (loop.isUnfinished() && loop.isStopped()) view.note('/continue goes on where it stopped.')
      else if (loop.isUnfinished()) await takeTurn('')
    }
    if (task !== '') {
      print.message(task)
      await takeTurn(task)
    }
    for (;;) {
      const entered = await conversation.next({ hint: hint(), signal: terminated.signal })
      if (entered === 'leave' || entered === null || run.stopped.aborted || terminated.signal.aborted) break
      history.add(entered.text)
      // As it is on the screen: a collapsed paste is no command, whatever it begins with.
      const seen = entered.shown ?? entered.text
      if (seen.trimStart().startsWith('!')) await runOwnCommand(entered.text.trim().slice(1).trim())
      else if (!isSlashCommand(seen)) await takeTurn(ownCommands.tell(entered.text), entered.shown ?? entered.text)
      else if ((await runSlashCommand(slashContext, entered.text)) === 'leave') break
    }
    return terminated.by() === null ? exitCodes.fine : exitCodes.invalid
  } finally {
    left.abort()
    conversation.close()
    draft.flush()
    const waits = loop.isWaitingInput()
    const isCutOff = terminated.by() !== null && loop.isUnfinished()
    loop.close()
    if (waits) await run.end('asleep')
    else if (isCutOff) await run.fail(describeSignal(terminated.by()))
    else await run.end('completed')
    terminated.release()
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

  async function runOwnCommand(command: string) {
    if (command === '') return view.note('Write a command after the exclamation mark, such as !git status.')
    const id = 'own-command'
    const title = `Shell ${harmlessTitle(command)}`
    await runStoppable('running', async signal => {
      view.begin(id, title)
      const { cwd } = context
      const onOutput = (text: string) => view.progress(id, text)
      const { output, failed } = await ownCommands.run({ command, cwd, env, folder: loop.folder, signal, onOutput })
      events.showResult(id, title, { output, failed })
    })
  }

  /** Esc stops it, as it stops a turn. */
  async function runStoppable<T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    turn = new AbortController()
    view.work(what, events.startTurn())
    try {
      return await work(turnSignal())
    } finally {
      view.work(null)
    }
  }

  /** Opens the last output in the pager; in plain lines it is printed. */
  function showOutput() {
    const last = events.last()
    if (last === null) return view.note('There is no output yet.')
    const text = harmlessLines(last.diff ?? last.output)
    if (conversation.isPlain) return view.note(text)
    void questions.betweenPrompts(async () => {
      const painted = last.diff === undefined ? text : paintDiff(terminal, last.diff)
      if (!(await openPager(terminal, painted))) view.note(text)
    })
  }

  async function takeTurn(text: string, shown = text) {
    turn = new AbortController()
    stopWaiting = new AbortController()
    view.work('thinking', events.startTurn())
    try {
      heard(text)
      const result = await loop.runTurn(text, {
        ...{ shown, wait: true },
        stopWaiting: stopWaiting.signal,
        signal: turnSignal(),
        takeMessages: takeQueued,
      })
      await questions.idle()
      view.endReply()
      // After a stop or a failure, nothing goes on by itself.
      if (result.status !== 'done') conversation.hold()
      showEnd(result)
    } finally {
      view.work(null)
    }
  }

  async function pickRow(title: string, rows: readonly string[]) {
    conversation.pause()
    try {
      return await pick(terminal, { title, rows, plain: conversation.isPlain, signal: terminated.signal })
    } finally {
      conversation.resume()
    }
  }

  function takeQueued(): PersonMessage[] {
    return conversation.takeQueued().map(({ text: entered, shown = entered }) => {
      history.add(entered)
      const text = ownCommands.tell(entered)
      heard(text)
      return { text, shown }
    })
  }

  function showEnd(result: TurnResult) {
    if (result.status === 'failed')
      return view.note(`The request to the model failed: ${harmlessTitle(result.error)}`, 'red')
    const end = describeEnd(result.status)
    if (end) view.note(end, 'yellow')
  }

  async function startOver() {
    await loop.reset()
    loop.close()
    await run.end('completed')
    ;({ loop, run, isContinued, heard } = await open({ ...options, model: loop.status().model, continue: false }))
  }

  function hint(): string {
    const { tokens, limit, waiting } = loop.status()
    const full = Math.round((tokens / limit) * 100)
    const cost = describeUsage(loop.status(), env)
    return [
      ...(waiting > 0 ? ['a question is open: /answer'] : []),
      ...(loop.isPlanning() ? ['plan mode'] : []),
      `context ${full} %`,
      cost,
    ].join(' · ')
  }
}
