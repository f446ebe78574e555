import { setTimeout as sleep } from 'node:timers/promises'
import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { describeRequest } from '../describe-request.ts'
import { saveDrafts } from '../drafts.ts'
import { edit, editorOf } from '../editor.ts'
import { followRequest } from '../follow-request.ts'
import { isEnter, type Key, readKeys } from '../keys.ts'
import { loadLastAnswer } from '../last-answer.ts'
import { openInline, type Screen } from '../screen.ts'
import { type PromptEnd, submit } from '../submit.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import { threadLines } from '../thread.ts'
import { Dialog } from './dialog.ts'
import { notices } from './notices.ts'
import { pressKey } from './press-key.ts'
import { view } from './view.ts'

export interface RichOptions {
  signal: AbortSignal
  now: () => number
  /** Gets what was typed before the prompt was visible. */
  onEarly?: ((text: string) => void) | undefined
  /** The inbox's screen, to which Esc returns. Without it, the prompt is drawn where the cursor is. */
  screen?: Screen
}

// A person may be typing something else when the prompt appears. Keys count once they have paused.
const grace = 200
const lookAtClockEvery = 1_000
const typingPause = 700
const longestTyping = 10_000

/** Prompts until the hub accepts a decision, the person leaves, or the signal aborts. */
export async function promptRich(
  terminal: Terminal,
  hub: HubApi,
  request: Request,
  { signal, now, onEarly, screen: given }: RichOptions,
): Promise<PromptEnd> {
  const screen = given ?? openInline(terminal)
  const form = new AnswerForm(request)
  const drafts = await saveDrafts(hub, form)
  const last = await loadLastAnswer(hub, request)
  const dialog = new Dialog(form, given ? 'Esc back' : 'Esc fold', drafts.offers, last)
  const ended = Promise.withResolvers<PromptEnd>()
  const closed = new AbortController()
  let latest = request
  let noticed = ''
  let stopKeys = () => {}
  let listening = false
  let busy = false
  let over = false
  let lastKey = -Infinity
  let early = editorOf('')
  let known: { columns: number; lines: Line[] } | null = null

  // An approval stays in the frame, where all of it can be scrolled; other requests are printed once, above it.
  const framed = Boolean(given) || request.kind === 'approval'
  if (!framed) screen.leave([line(''), ...describeRequest(request, columnsOf(terminal)), line('')])
  if (!framed) leaveMessages(request.messages)
  const timer = setTimeout(() => {
    listening = true
    draw()
  }, grace)
  const clock = setInterval(onTick, lookAtClockEvery).unref()
  void followRequest(hub, request, closed.signal, onChange)
  // While a decision is being sent, the signal may abort because that very decision settled the request.
  const onAbort = () => busy || ended.resolve('left')
  signal.addEventListener('abort', onAbort, { once: true })
  terminal.output.on('resize', draw)
  process.on('SIGCONT', onContinue)
  resume()
  if (signal.aborted) onAbort()
  try {
    const end = await ended.promise
    if (!given) screen.leave(summary(end))
    if (end === 'left' && signal.aborted) await waitForTypingPause()
    return end
  } finally {
    over = true
    closed.abort()
    clearTimeout(timer)
    clearInterval(clock)
    signal.removeEventListener('abort', onAbort)
    terminal.output.off('resize', draw)
    process.off('SIGCONT', onContinue)
    stopKeys()
    if (!given) screen.close()
    if (early.text !== '') onEarly?.(early.text)
    await drafts.flush()
  }

  /** While we were stopped, another prompt may have taken the terminal. */
  function onContinue() {
    lockTerminal(terminal, signal).then(() => over || resume())
  }

  function resume() {
    stopKeys()
    stopKeys = readKeys(terminal, onKey, () => ended.resolve('left'))
    draw()
  }

  function draw() {
    const size = { columns: columnsOf(terminal), rows: rowsOf(terminal) - (given ? 0 : 1) }
    const head = framed ? headAt(size.columns) : []
    const shown = notices(latest, dialog, { env: terminal.env, now: now() })
    noticed = JSON.stringify(shown)
    screen.draw(view(dialog, size, { head, notices: shown, listening }))
  }

  /** Draws only if time has changed what is shown. */
  function onTick() {
    if (!over && JSON.stringify(notices(latest, dialog, { env: terminal.env, now: now() })) !== noticed) draw()
  }

  function onChange(changed: Request) {
    const news = changed.messages.slice(latest.messages.length)
    latest = changed
    known = null
    if (over || news.length === 0) return onTick()
    if (!framed) leaveMessages(news)
    draw()
  }

  /** Above the frame, where they stay. */
  function leaveMessages(messages: Request['messages']) {
    if (messages.length > 0) screen.leave([...threadLines(messages, columnsOf(terminal), now()), line('')])
  }

  /** Rendered once per width: it may be long and does not change from key to key. */
  function headAt(columns: number): Line[] {
    if (known?.columns !== columns) {
      const thread = threadLines(latest.messages, columns, now())
      const above = thread.length > 0 ? [line(''), ...thread] : []
      known = { columns, lines: [...describeRequest(request, columns), ...above] }
    }
    return known.lines
  }

  function onKey(key: Key) {
    lastKey = performance.now()
    if (over) return
    if (key.ctrl && key.name === 'z' && !key.pasted) return suspend()
    // Keys typed before the prompt was visible were meant for something else. Leaving is always possible.
    if (!listening && !(key.ctrl && key.name === 'c')) {
      early = edit(early, isEnter(key) ? { ...key, name: 'enter' } : key) ?? early
      timer.refresh()
      return
    }
    if (busy) return
    const effect = pressKey(dialog, key)
    drafts.changed()
    if (effect === 'leave') return ended.resolve('left')
    if (effect === 'fold') {
      if (given) return ended.resolve('folded')
      dialog.fold()
    }
    draw()
    if (effect === null || typeof effect !== 'object') return
    if ('discard' in effect) drafts.discard(effect.discard)
    else if ('message' in effect) askBack(effect.message)
    else decide(effect.decide)
  }

  /** The request was settled elsewhere while the person types: the rest, perhaps a secret, must not reach the shell. */
  async function waitForTypingPause() {
    over = true
    const giveUpAt = performance.now() + longestTyping
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

  /** The request stays open; what the agent replies appears when it comes. */
  function askBack(text: string) {
    busy = true
    hub.messages.send(request.id, { text }).then(
      sent => {
        busy = false
        dialog.message = 'Sent to the agent. The request stays open.'
        onChange(sent)
        draw()
      },
      error => {
        busy = false
        if (!(error instanceof BeckonError)) return ended.reject(error)
        if (signal.aborted) return onAbort()
        dialog.refuse(harmlessTitle(error.message))
        draw()
      },
    )
  }

  function suspend() {
    stopKeys()
    screen.close()
    // Stop the whole process group, as the terminal would: a script that called us stops with us.
    process.kill(0, 'SIGTSTP')
    // Without job control, nothing stops us and nothing would continue us.
    setTimeout(() => over || onContinue(), grace)
  }

  /** What stays on the screen: the decision made here. The caller reports a decision made elsewhere. */
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
