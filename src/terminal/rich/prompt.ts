import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import type { Edited } from '../../protocol/answer.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { completePath } from '../complete-path.ts'
import { describeRequest, isLongReading } from '../describe-request.ts'
import { saveDrafts } from '../drafts.ts'
import { editOutside } from '../edit-outside.ts'
import { edit, editorOf } from '../editor.ts'
import { followRequest } from '../follow-request.ts'
import { isEnter, type Key, readKeys } from '../keys.ts'
import { loadLastAnswer } from '../last-answer.ts'
import { redrawOnce } from '../redraw.ts'
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
// Often enough that a countdown skips no second.
const lookAtClockEvery = 250
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
  let unseen = request
  let noticed = ''
  let stopKeys = () => {}
  let listening = false
  let busy = false
  /** The person writes in another program, which has the terminal. */
  let outside = false
  let over = false
  let lastKey = -Infinity
  let early = editorOf('')
  let known: { columns: number; lines: Line[] } | null = null

  const redraw = redrawOnce(draw)
  const framed = Boolean(given) || !isLongReading(request)
  if (!framed) screen.leave([line(''), ...describeRequest(request, columnsOf(terminal)), line('')])
  if (!framed) leaveMessages(request.messages)
  const timer = setTimeout(() => {
    listening = true
    draw()
  }, grace)
  const clock = setInterval(onTick, lookAtClockEvery).unref()
  void followRequest(hub, request, closed.signal, onChange)
  // While a decision is being sent, the signal may abort because that very decision settled the request.
  const onAbort = () => busy || outside || ended.resolve('left')
  signal.addEventListener('abort', onAbort, { once: true })
  terminal.output.on('resize', draw)
  process.on('SIGCONT', onContinue)
  resume()
  if (signal.aborted) onAbort()
  try {
    const end = await ended.promise
    redraw.cancel()
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
    if (!outside) lockTerminal(terminal, signal).then(() => over || resume())
  }

  function resume() {
    stopKeys()
    stopKeys = readKeys(terminal, onKey, () => ended.resolve('left'))
    draw()
  }

  function draw() {
    if (outside) return
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
    unseen = changed
    if (outside) return
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
    if (busy || outside) return
    const effect = pressKey(dialog, key)
    drafts.changed()
    if (effect === 'leave') return ended.resolve('left')
    if (effect === 'fold') {
      if (given) return ended.resolve('folded')
      dialog.fold()
    }
    if (effect === 'edit-outside') return void writeOutside()
    if (effect === 'complete') dialog.completeTo(completePath(dialog.editor.text, request.agent.cwd))
    redraw()
    if (effect === null || typeof effect !== 'object') return
    if ('discard' in effect) drafts.discard(effect.discard)
    else if ('message' in effect) askBack(effect.message)
    else if ('judge' in effect) judge(effect.judge)
    else decide(effect.decide)
  }

  /** The request was settled elsewhere while the person types: the rest, perhaps a secret, must not reach the shell. */
  async function waitForTypingPause() {
    over = true
    // What has arrived is read first: a paste that has begun is then read to its end.
    await nextTurn()
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

  /** The guard looks at a person's version before they can approve it. */
  function judge(edited: Edited) {
    busy = true
    hub.judge(request.id, edited).then(
      verdict => {
        busy = false
        dialog.judge({ edited, verdict })
        draw()
      },
      error => onRefusal(error),
    )
  }

  /** Shows why the hub did not do it. Any other error is a bug. */
  function onRefusal(error: unknown) {
    busy = false
    if (!(error instanceof BeckonError)) return ended.reject(error)
    if (signal.aborted) return onAbort()
    dialog.refuse(harmlessTitle(error.message))
    draw()
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
      error => onRefusal(error),
    )
  }

  async function writeOutside() {
    outside = true
    redraw.cancel()
    stopKeys()
    screen.close()
    const edited = await editOutside(terminal, dialog.editor, signal)
    outside = false
    if (signal.aborted) return onAbort()
    if ('failed' in edited) dialog.message = harmlessTitle(edited.failed)
    else {
      dialog.editor = edited.editor
      dialog.saveText()
      drafts.changed()
    }
    resume()
    onChange(unseen)
  }

  function suspend() {
    redraw.cancel()
    stopKeys()
    screen.close()
    // Stop the whole process group, as the terminal would: a script that called us stops with us.
    process.kill(0, 'SIGTSTP')
    // Without job control, nothing stops us and nothing would continue us.
    setTimeout(() => over || onContinue(), grace)
  }
}
