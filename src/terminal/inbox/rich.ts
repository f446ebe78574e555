import type { Decision } from '../../form/answer-form.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { type Key, readKeys } from '../keys.ts'
import { promptRich } from '../rich/prompt.ts'
import { submit } from '../submit.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import { notify } from './desktop-notification.ts'
import { followPending } from './follow-pending.ts'
import { fullScreen } from './full-screen.ts'
import { type Change, type Effect, Inbox } from './inbox.ts'
import { itemOf } from './item.ts'
import type { InboxOptions } from './options.ts'
import { whileItWaits } from './prompt-until-settled.ts'
import { view } from './view.ts'

// Whoever was typing something else when the list came up needs a moment to see it.
const grace = 200
const agesAdvance = 5_000
const frameTime = 15
const notStopped = 200

/** The list on a screen of its own, until the person leaves it or the signal comes. */
export async function inboxRich(terminal: Terminal, hub: HubApi, options: InboxOptions): Promise<void> {
  const { signal, describe, quiet, now } = options
  const { output } = terminal
  const inbox = new Inbox(now)
  const screen = fullScreen(terminal)
  const ended = Promise.withResolvers<void>()
  const leaving = new AbortController()
  // The keyboard is the list's, the open request's, or nobody's while a decision is on its way.
  let open: 'list' | 'request' | 'deciding' = 'list'
  let stopKeys = () => {}
  let listening = false
  let firstSight: NodeJS.Timeout | null = null
  let frame: NodeJS.Timeout | null = null

  const ages = setInterval(drawSoon, agesAdvance).unref()
  signal.addEventListener('abort', leave, { once: true })
  output.on('resize', draw)
  process.on('SIGCONT', comeBack)
  const pending = followPending(hub, { signal: leaving.signal, onChange, onTrouble })
  resume()
  if (signal.aborted) leave()
  try {
    await ended.promise
  } finally {
    leaving.abort()
    clearInterval(ages)
    for (const timer of [frame, firstSight]) if (timer) clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    output.off('resize', draw)
    process.off('SIGCONT', comeBack)
    stopKeys()
    screen.end()
  }

  function leave() {
    // At once: whatever the open prompt still has to save, the terminal is the person's again.
    screen.end()
    ended.resolve()
  }

  /** Also after Ctrl-Z. While a request is open, it looks after the keyboard and the screen itself. */
  function resume() {
    if (open === 'request' || leaving.signal.aborted) return
    stopKeys()
    stopKeys = readKeys(terminal, key => guarded(() => onKey(key)), leave)
    draw()
  }

  /** While we were stopped, somebody else may have taken the terminal. */
  function comeBack() {
    lockTerminal(terminal, leaving.signal).then(resume)
  }

  function suspend() {
    stopKeys()
    screen.close()
    // The whole group, as the terminal itself would do: a script that called us is stopped with us.
    process.kill(0, 'SIGTSTP')
    // Where nobody controls jobs, the signal is ignored, and nothing would ever continue us.
    setTimeout(comeBack, notStopped)
  }

  function draw() {
    if (open === 'request') return
    guarded(() => {
      const size = { columns: columnsOf(terminal), rows: rowsOf(terminal) }
      screen.draw(view(inbox, size, { now: now(), listening }))
      // A frame without the list shows nothing yet that a key could be meant for.
      if (inbox.loaded || inbox.message) firstSight ??= setTimeout(listen, grace)
    })
  }

  function listen() {
    listening = true
    draw()
  }

  /** Many changes at once are one frame. */
  function drawSoon() {
    frame ??= setTimeout(() => {
      frame = null
      draw()
    }, frameTime)
  }

  function onChange(change: Change) {
    const atStart = !inbox.loaded
    const settled = change.left.filter(({ outcome }) => outcome !== null)
    inbox.update(change)
    const last = settled.at(-1)
    if (last) inbox.say(sentence(last, settled.length - 1))
    if (!atStart && !quiet) for (const item of change.arrived) notify(terminal, item)
    drawSoon()
  }

  function onTrouble(error: unknown) {
    inbox.say(`The hub is in trouble, trying again: ${messageOf(error)}`)
    drawSoon()
  }

  function onKey(key: Key) {
    if (key.ctrl && key.name === 'z' && !key.pasted) return suspend()
    const isLeaving = key.ctrl && key.name === 'c'
    // What was typed before the list could be seen was meant for something else. Leaving is always possible.
    if (!isLeaving && (!listening || open === 'deciding')) return
    const effect = inbox.press(key)
    draw()
    if (effect !== null) act(effect).catch(ended.reject)
  }

  async function act(effect: Effect): Promise<void> {
    if (effect === 'quit') return leave()
    if (effect === 'reload') return pending.reload()
    if ('open' in effect) return openRequest(effect.open)
    return settle(effect.settle, effect.by)
  }

  async function openRequest(request: Request): Promise<void> {
    open = 'request'
    stopKeys()
    stopKeys = () => {}
    try {
      const end = await whileItWaits(hub, request, signal, closing =>
        promptRich(terminal, hub, request, { signal: closing, screen }),
      )
      if (typeof end === 'object' && 'elsewhere' in end) {
        inbox.startle()
        inbox.update({ arrived: [], left: [end.elsewhere] })
        inbox.say(sentence(end.elsewhere))
      } else if (typeof end === 'object') finish(end)
    } catch (error) {
      sayOrThrow(error)
    }
    open = 'list'
    resume()
  }

  async function settle(request: Request, decision: Decision): Promise<void> {
    open = 'deciding'
    try {
      const result = await submit(hub, request.id, decision)
      if ('refused' in result) inbox.say(harmlessTitle(result.refused))
      else finish(result)
    } catch (error) {
      sayOrThrow(error)
    }
    open = 'list'
    draw()
  }

  function finish({ won, replay, request }: Settlement) {
    inbox.update({ arrived: [], left: [request] })
    inbox.say(`${won || replay ? '' : 'Somebody was first. '}${sentence(request)}`)
  }

  function sentence(request: Request, more = 0): string {
    const others = more > 0 ? ` (and ${more} more)` : ''
    return `${cut(itemOf(request, null).title, 40)} · ${describe(request)}${others}`
  }

  /** What the hub says is for the person; anything else is a fault of ours, and ends the inbox. */
  function sayOrThrow(error: unknown) {
    if (!(error instanceof BeckonError) || error.code === 'closed') throw error
    inbox.say(messageOf(error))
  }

  function guarded(work: () => void) {
    try {
      work()
    } catch (error) {
      ended.reject(error)
    }
  }
}

function messageOf(error: unknown): string {
  return harmlessTitle(error instanceof Error ? error.message : String(error))
}
