import type { Decision } from '../../form/answer-form.ts'
import { BeckonError } from '../../protocol/errors.ts'
import type { HubApi, Settlement } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { editOutside } from '../edit-outside.ts'
import { type Key, readKeys } from '../keys.ts'
import { loadLastAnswer } from '../last-answer.ts'
import { promptRich } from '../rich/prompt.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import { columnsBeside } from './beside.ts'
import { notify } from './desktop-notification.ts'
import { followPending } from './follow-pending.ts'
import { fullScreen } from './full-screen.ts'
import { type Effect, Inbox } from './inbox.ts'
import { hasReply, itemOf, reminderOf } from './item.ts'
import type { InboxOptions } from './options.ts'
import { pressKey } from './press-key.ts'
import { promptUntilSettled } from './prompt-until-settled.ts'
import type { Change } from './request-list.ts'
import { runOutput } from './run-output.ts'
import { settleEach, snoozeEach } from './settle-each.ts'
import { view } from './view.ts'

// A person may be typing something else when the list appears.
const grace = 200
const redrawAgesEvery = 5_000
const frameTime = 15
const resumeAfter = 200

/** The inbox on a full screen, until the person quits or the signal aborts. */
export async function inboxRich(terminal: Terminal, hub: HubApi, options: InboxOptions): Promise<void> {
  const { signal, describe, quiet, now } = options
  const output = runOutput(options.readLog, drawSoon)
  const inbox = new Inbox(now)
  const screen = fullScreen(terminal)
  const ended = Promise.withResolvers<void>()
  const leaving = new AbortController()
  // Who gets the keys: the list, the open request, the person's own editor, or nobody while a decision is being sent.
  let open: 'list' | 'request' | 'outside' | 'deciding' = 'list'
  let stopKeys = () => {}
  let listening = false
  let lookingUp: string | null = null
  const settledHere = new Set<string>()
  let firstSight: NodeJS.Timeout | null = null
  let frame: NodeJS.Timeout | null = null

  const ages = setInterval(drawSoon, redrawAgesEvery).unref()
  signal.addEventListener('abort', leave, { once: true })
  terminal.output.on('resize', draw)
  process.on('SIGCONT', onContinue)
  const pending = followPending(hub, { signal: leaving.signal, onChange, onError })
  resume()
  if (signal.aborted) leave()
  try {
    await ended.promise
  } finally {
    leaving.abort()
    output.stop()
    clearInterval(ages)
    for (const timer of [frame, firstSight]) if (timer) clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    terminal.output.off('resize', draw)
    process.off('SIGCONT', onContinue)
    stopKeys()
    screen.end()
  }

  function leave() {
    // Give the terminal back at once, whatever the open prompt still has to save.
    screen.end()
    ended.resolve()
  }

  /** Also runs after Ctrl-Z. An open request handles keyboard and screen itself. */
  function resume() {
    if (hasNoTerminal() || leaving.signal.aborted) return
    stopKeys()
    stopKeys = readKeys(terminal, key => guarded(() => onKey(key)), leave)
    draw()
  }

  function hasNoTerminal(): boolean {
    return open === 'request' || open === 'outside'
  }

  /** While we were stopped, another prompt may have taken the terminal. */
  function onContinue() {
    lockTerminal(terminal, leaving.signal).then(resume)
  }

  function suspend() {
    stopKeys()
    screen.close()
    // Stop the whole process group, as the terminal would: a script that called us stops with us.
    process.kill(0, 'SIGTSTP')
    // Without job control, the signal is ignored and nothing would continue us.
    setTimeout(onContinue, resumeAfter)
  }

  function draw() {
    if (hasNoTerminal()) return
    guarded(() => {
      const size = { columns: columnsOf(terminal), rows: rowsOf(terminal) }
      const request = inbox.list.selected?.request
      output.follow(request && columnsBeside(size.columns) !== null ? request.run : null)
      screen.draw(view(inbox, size, { now: now(), listening, env: terminal.env, output: output.lines() }))
      lookUpLast()
      // Until the list is visible, no key can be meant for it.
      if (inbox.list.loaded || inbox.message) firstSight ??= setTimeout(listen, grace)
    })
  }

  function listen() {
    listening = true
    draw()
  }

  /** Draws many changes at once as one frame. */
  function drawSoon() {
    frame ??= setTimeout(() => {
      frame = null
      draw()
    }, frameTime)
  }

  function onChange(change: Change) {
    const atStart = !inbox.list.loaded
    // What was settled here was said already.
    const settled = change.left.filter(({ id, outcome }) => outcome !== null && !settledHere.has(id))
    inbox.update(change)
    const last = settled.at(-1)
    if (last) inbox.showMessage(sentence(last, settled.length - 1))
    const { arrived, reminded = [] } = change
    for (const item of reminded) inbox.showMessage(reminderOf(item, now()))
    for (const item of change.changed ?? [])
      if (hasReply(item)) inbox.showMessage(`${item.agent} replied: ${item.title}`)
    if (!atStart && !quiet) for (const item of [...arrived, ...reminded]) notify(terminal, item)
    drawSoon()
  }

  function onError(error: unknown) {
    inbox.showMessage(`Hub error, trying again: ${messageOf(error)}`)
    drawSoon()
  }

  function onKey(key: Key) {
    if (key.ctrl && key.name === 'z' && !key.pasted) return suspend()
    const isLeaving = key.ctrl && key.name === 'c'
    // Keys typed before the list was visible were meant for something else. Quitting is always possible.
    if (!isLeaving && (!listening || open === 'deciding')) return
    const effect = pressKey(inbox, key)
    draw()
    if (effect !== null) act(effect).catch(ended.reject)
  }

  async function act(effect: Effect): Promise<void> {
    if (effect === 'quit') return leave()
    if (effect === 'reload') return pending.reload()
    if (effect === 'edit-outside') return writeOutside()
    if ('open' in effect) return openRequest(effect.open)
    if ('ask' in effect) return tell(effect.ask, effect.text)
    if ('snooze' in effect) return snooze(effect.snooze, effect.until)
    return settle(effect.settle, effect.by)
  }

  async function openRequest(request: Request): Promise<void> {
    open = 'request'
    stopKeys()
    stopKeys = () => {}
    try {
      const end = await promptUntilSettled(hub, request, signal, closing =>
        promptRich(terminal, hub, request, { signal: closing, now, screen }),
      )
      if (typeof end === 'object' && 'settledElsewhere' in end) {
        inbox.ignoreKeysUntilPause()
        inbox.update({ arrived: [], left: [end.settledElsewhere] })
        inbox.showMessage(sentence(end.settledElsewhere))
      } else if (typeof end === 'object') finish(end)
    } catch (error) {
      showOrThrow(error)
    }
    open = 'list'
    resume()
  }

  /** The text is written in the person's own editor. It is dropped if its request is settled meanwhile. */
  async function writeOutside(): Promise<void> {
    const { focus, targets } = inbox
    open = 'outside'
    stopKeys()
    stopKeys = () => {}
    screen.close()
    const edited = await editOutside(terminal, inbox.text, leaving.signal)
    open = 'list'
    const isStillAsked = inbox.focus === focus && inbox.targets.some(target => targets.includes(target))
    if ('failed' in edited) inbox.showMessage(harmlessTitle(edited.failed))
    else if (isStillAsked) inbox.text = edited.editor
    resume()
  }

  async function settle(requests: readonly Request[], decision: Decision): Promise<void> {
    open = 'deciding'
    for (const { id } of requests) settledHere.add(id)
    try {
      const { settled, refused } = await settleEach(hub, requests, decision)
      inbox.update({ arrived: [], left: settled.map(({ request }) => request) })
      const [first] = settled
      if (requests.length > 1) inbox.showMessage(together(verbs[decision.verb], settled.filter(isOurs).length, refused))
      else if (first) finish(first)
      else inbox.showMessage(harmlessTitle(refused[0] ?? ''))
    } catch (error) {
      showOrThrow(error)
    }
    open = 'list'
    draw()
  }

  /** The request stays open; the reply appears below it. */
  async function tell({ id }: Request, text: string): Promise<void> {
    await hub.messages.send(id, { text }).then(
      () => inbox.showMessage('Sent to the agent. The request stays open.'),
      error => showOrThrow(error),
    )
    drawSoon()
  }

  async function snooze(requests: readonly Request[], until: string | null): Promise<void> {
    try {
      const { done, refused } = await snoozeEach(hub, requests, until)
      const verb = until === null ? 'back in the inbox' : 'snoozed'
      const [first] = requests
      inbox.list.unmark(done)
      if (requests.length > 1) inbox.showMessage(together(verb, done.length, refused))
      else if (first && done.length > 0) inbox.showMessage(`${cut(itemOf(first, null).title, 40)} · ${verb}`)
      else inbox.showMessage(harmlessTitle(refused[0] ?? ''))
    } catch (error) {
      showOrThrow(error)
    }
    pending.reload()
    drawSoon()
  }

  /** What was answered before is looked up for the request that the person looks at. */
  function lookUpLast() {
    const request = inbox.list.selected?.request
    if (!request || inbox.last !== undefined || lookingUp === request.id) return
    lookingUp = request.id
    loadLastAnswer(hub, request).then(last => {
      lookingUp = null
      inbox.learnLast(request.id, last)
      drawSoon()
    }, ended.reject)
  }

  function finish(settlement: Settlement) {
    const { request } = settlement
    inbox.update({ arrived: [], left: [request] })
    inbox.showMessage(`${isOurs(settlement) ? '' : 'Somebody else was first. '}${sentence(request)}`)
  }

  function sentence(request: Request, more = 0): string {
    const others = more > 0 ? ` (and ${more} more)` : ''
    return `${cut(itemOf(request, null).title, 40)} · ${describe(request)}${others}`
  }

  /** Shows errors of the hub. Any other error is a bug and ends the inbox. */
  function showOrThrow(error: unknown) {
    if (!(error instanceof BeckonError) || error.code === 'closed') throw error
    inbox.showMessage(messageOf(error))
  }

  function guarded(work: () => void) {
    try {
      work()
    } catch (error) {
      ended.reject(error)
    }
  }
}

function isOurs({ won, replay }: Settlement): boolean {
  return won || replay
}

const verbs: Record<Decision['verb'], string> = { answer: 'answered', skip: 'skipped', decline: 'declined' }

/** `3 answered · 1 not: Somebody else was first.` */
function together(verb: string, done: number, refused: readonly string[]): string {
  const [why] = refused
  return `${done} ${verb}${why === undefined ? '' : ` · ${refused.length} not: ${harmlessTitle(why)}`}`
}

function messageOf(error: unknown): string {
  return harmlessTitle(error instanceof Error ? error.message : String(error))
}
