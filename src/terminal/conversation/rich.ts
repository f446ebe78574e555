import { harmlessTitle } from '../../text/harmless.ts'
import { editOutside } from '../edit-outside.ts'
import type { Editor } from '../editor.ts'
import { shownText } from '../editor-layout.ts'
import { type Key, readKeys } from '../keys.ts'
import type { Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import { boxFrame } from './box-frame.ts'
import type { Conversation, ConversationOptions, Entered, Message } from './conversation.ts'
import { InputBox, type InputDraft } from './input-box.ts'
import { openLiveScreen } from './live-screen.ts'
import type { Transcript } from './transcript.ts'

// Without job control nothing stops us, and nothing would continue us.
const continueAfter = 200

/** The conversation in frames, with a box at the bottom that a person can always write in. */
export function openRichConversation(
  terminal: Terminal,
  options: ConversationOptions,
): Conversation & { readonly view: Transcript } {
  const screen = openLiveScreen(terminal, {
    stopKey: 'Esc',
    bottom: (columns, rows) => boxFrame(box, hint, columns, rows),
  })
  const { transcript } = screen
  let box = new InputBox(options)
  let hint = ''
  let state: 'new' | 'paused' | 'stopped' | 'shown' | 'closed' = 'new'
  let waiting: PromiseWithResolvers<Entered> | null = null
  let hasEnded = false
  let locking = new AbortController()
  let unlock = () => {}
  let stopKeys = () => {}
  let saving: NodeJS.Immediate | null = null
  return { isPlain: false, view: transcript, start, next, takeQueued, hold, insert, suggest, pause, resume, close }

  function start(draft: InputDraft) {
    box = new InputBox(options, draft)
    process.on('SIGCONT', onContinue)
    state = 'paused'
    resume()
  }

  async function next({ hint: given, signal }: { hint: string; signal: AbortSignal }): Promise<Entered> {
    hint = given
    const entered = Promise.withResolvers<Entered>()
    const onAbort = () => entered.resolve(null)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    if (hasEnded) entered.resolve('leave')
    waiting = entered
    offerNext()
    screen.redraw()
    try {
      return await entered.promise
    } finally {
      waiting = null
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Gives the next message to the one who waits for it. */
  function offerNext() {
    const message = waiting && box.take()
    if (!message) return
    transcript.echo(message)
    waiting?.resolve(enteredOf(message))
    waiting = null
    save()
  }

  function takeQueued(): Message[] {
    const messages = box.takeMessages()
    for (const message of messages) transcript.echo(message)
    if (messages.length > 0) save()
    return messages.map(enteredOf)
  }

  function hold() {
    box.isHeld = box.queued.length > 0
    screen.redraw()
  }

  function insert(text: string) {
    box.add(text)
    save()
    screen.redraw()
  }

  function suggest() {
    box.suggest()
    screen.redraw()
  }

  function pause(leaving: { gap?: boolean } = {}) {
    if (state === 'stopped') state = 'paused'
    if (state !== 'shown') return
    state = 'paused'
    locking.abort()
    stopKeys()
    screen.hide(leaving)
    unlock()
  }

  /** While we were paused or stopped, another process may have taken the terminal. */
  async function resume() {
    if (state !== 'paused') return
    state = 'shown'
    locking = new AbortController()
    const { signal } = locking
    const given = await lockTerminal(terminal, signal)
    if (signal.aborted) return given?.()
    unlock = given ?? unlock
    stopKeys = readKeys(terminal, onKey, onEnd)
    screen.show()
  }

  function close() {
    if (state === 'new') return
    pause()
    state = 'closed'
    process.off('SIGCONT', onContinue)
    saveNow()
    screen.close()
  }

  function onKey(key: Key) {
    const effect = box.press(key, waiting === null)
    save()
    screen.redraw()
    if (effect === 'entered') offerNext()
    if (effect === 'interrupt') options.onInterrupt()
    if (effect === 'leave') waiting?.resolve('leave')
    if (effect === 'suspend') suspend()
    if (effect === 'show') options.onShow()
    if (effect === 'edit') void options.useTerminal(writeOutside)
  }

  /** Ctrl-G: in the person's own editor. */
  async function writeOutside() {
    const edited = await editOutside(terminal, box.editor, new AbortController().signal)
    if ('failed' in edited) box.notice = harmlessTitle(edited.failed)
    else box.editor = edited.editor
    save()
  }

  /** The terminal was closed. That is noticed here at times before the signal comes. */
  function onEnd() {
    hasEnded = true
    options.onClosed()
    waiting?.resolve('leave')
  }

  function suspend() {
    pause()
    state = 'stopped'
    // The whole process group, as the terminal would: a script that called us stops with us.
    process.kill(0, 'SIGTSTP')
    setTimeout(() => state === 'stopped' && onContinue(), continueAfter)
  }

  /** The shell has changed the modes of the terminal and printed below our frame. */
  function onContinue() {
    if (state === 'shown') pause()
    else if (state !== 'stopped') return
    state = 'paused'
    resume()
  }

  /** After everything that this event causes: a message is in the journal before it leaves the draft. */
  function save() {
    saving ??= setImmediate(saveNow)
  }

  function saveNow() {
    if (saving) clearImmediate(saving)
    saving = null
    options.saveDraft(box.draft())
  }
}

function enteredOf(message: Editor): Message {
  return { text: message.text, shown: shownText(message) }
}
