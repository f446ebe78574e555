import { setTimeout as sleep } from 'node:timers/promises'
import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { about } from '../describe-request.ts'
import { keepDrafts } from '../drafts.ts'
import { type Key, readKeys } from '../keys.ts'
import { openInline, type Screen } from '../screen.ts'
import { type PromptEnd, submit } from '../submit.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { takeTurn } from '../terminal-lock.ts'
import { Dialog } from './dialog.ts'
import { view } from './view.ts'

export interface RichOptions {
  signal: AbortSignal
  /** A screen that is there already, on which Esc leads back; otherwise the prompt is drawn where the cursor is. */
  screen?: Screen
}

// Whoever was typing something else when the prompt came up needs a moment to see it: as long as they go on typing.
const grace = 200
const typingPause = 700
const typingCap = 10_000

/** Asks the person until the hub takes what they decide. */
export async function promptRich(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  { signal, screen: given }: RichOptions,
): Promise<PromptEnd> {
  const screen = given ?? openInline(terminal)
  const form = new AnswerForm(request)
  const drafts = await keepDrafts(hub, form)
  const dialog = new Dialog(form, given ? 'Esc back' : 'Esc fold')
  const ended = Promise.withResolvers<PromptEnd>()
  let stopKeys = () => {}
  let listening = false
  let busy = false
  let over = false
  let lastKey = -Infinity
  let known: { columns: number; lines: Line[] } | null = null

  // What is to be approved stays in the frame, where all of it can be scrolled to; other things are read once, above it.
  const framed = Boolean(given) || request.kind === 'approval'
  if (!framed) screen.leave([line(''), ...about(request, columnsOf(terminal)), line('')])
  const timer = setTimeout(() => {
    listening = true
    draw()
  }, grace)
  // While a decision is on its way, its own settling is what ends the wait elsewhere.
  const onAbort = () => busy || ended.resolve('left')
  signal.addEventListener('abort', onAbort, { once: true })
  terminal.output.on('resize', draw)
  process.on('SIGCONT', comeBack)
  resume()
  if (signal.aborted) onAbort()
  try {
    const end = await ended.promise
    if (!given) screen.leave(summary(end))
    if (end === 'left' && signal.aborted) await pauseInTyping()
    return end
  } finally {
    over = true
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    terminal.output.off('resize', draw)
    process.off('SIGCONT', comeBack)
    stopKeys()
    if (!given) screen.close()
    await drafts.flush()
  }

  /** While we were stopped, somebody else may have taken the terminal. */
  function comeBack() {
    takeTurn(terminal, signal).then(() => over || resume())
  }

  function resume() {
    stopKeys()
    stopKeys = readKeys(terminal, onKey, () => ended.resolve('left'))
    draw()
  }

  function draw() {
    const size = { columns: columnsOf(terminal), rows: rowsOf(terminal) - (given ? 0 : 1) }
    const head = framed ? aboutAt(size.columns) : []
    screen.draw(view(dialog, size, { head, listening }))
  }

  /** It may be long, and does not change from key to key. */
  function aboutAt(columns: number): Line[] {
    if (known?.columns !== columns) known = { columns, lines: about(request, columns) }
    return known.lines
  }

  function onKey(key: Key) {
    lastKey = performance.now()
    if (over) return
    if (key.ctrl && key.name === 'z' && !key.pasted) return suspend()
    // What was typed before the prompt could be seen was meant for something else. Leaving is always possible.
    if (!listening && !(key.ctrl && key.name === 'c')) {
      timer.refresh()
      return
    }
    if (busy) return
    const effect = dialog.press(key)
    drafts.changed()
    if (effect === 'leave') return ended.resolve('left')
    if (effect === 'fold') {
      if (given) return ended.resolve('folded')
      dialog.fold()
    }
    draw()
    if (effect !== null && typeof effect === 'object') decide(effect.decide)
  }

  /** Closed by somebody else in the middle of a word: the rest of it, a secret perhaps, is not for the shell. */
  async function pauseInTyping() {
    over = true
    const giveUpAt = performance.now() + typingCap
    while (performance.now() - lastKey < typingPause && performance.now() < giveUpAt) await sleep(typingPause / 4)
  }

  function decide(decision: Decision) {
    busy = true
    submit(hub, request.id, decision).then(
      result => {
        busy = false
        if (!('refused' in result)) return ended.resolve(result)
        if (signal.aborted) return onAbort()
        dialog.refuse(harmlessTitle(result.refused))
        draw()
      },
      error => ended.reject(error),
    )
  }

  function suspend() {
    stopKeys()
    screen.close()
    // The whole group, as the terminal itself would do: a script that called us is stopped with us.
    process.kill(0, 'SIGTSTP')
    // Without job control nothing stops us, and nothing wakes us either.
    setTimeout(() => over || comeBack(), grace)
  }

  /** What stays on the screen: what was decided here. Who else was first is said by whoever called. */
  function summary(end: PromptEnd): Line[] {
    if (typeof end === 'string' || !(end.won || end.replay)) return []
    const columns = columnsOf(terminal)
    const { status } = end.request
    if (status !== 'answered') return wrap(line(`✔ ${status}`, 'green'), columns)
    return [...form.fields.keys()].flatMap(i => {
      const { header, question } = form.field(i).question
      const title = cut(harmlessTitle(header || question || request.kind), 60)
      const values = form.summary(i).map(harmlessTitle).join(', ')
      return values ? wrap([...line('✔ ', 'green'), ...line(`${title}: `), ...line(values, 'bold')], columns, 2) : []
    })
  }
}
