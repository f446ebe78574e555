import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { editorOf } from '../editor.ts'
import { nextText } from '../plain/next-text.ts'
import { type StartedLines, startLines } from '../plain/read-lines.ts'
import { columnsOf, type Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import type { Conversation, ConversationOptions, Entered, Message } from './conversation.ts'
import { InputBox, type InputDraft } from './input-box.ts'
import { openPlainView } from './plain-view.ts'

/**
 * The conversation in plain lines: nothing is redrawn or removed. While the agent works, lines that the person types are
 * queued. Where its output comes between, what they have typed so far appears again below it.
 */
export function openPlainConversation(terminal: Terminal, options: ConversationOptions): Conversation {
  const { onInterrupt } = options
  const view = openPlainView(print, work)
  let box = new InputBox(options)
  /** What the person has begun to write. */
  let begun = ''
  let isWorking = false
  let isPaused = false
  let unprinted = ''
  let ahead: StartedLines | null = null
  let reading: AbortController | null = null
  let unlock = () => {}
  return { isPlain: true, view, start, next, takeQueued, hold, insert, suggest() {}, pause, resume, close }

  function start({ text, queued }: InputDraft) {
    box = new InputBox(options, { text: '', queued })
    for (const one of queued) view.note(`Queued: ${titleOf(one)}`)
    insert(text)
  }

  async function next({ hint, signal }: { hint: string; signal: AbortSignal }): Promise<Entered> {
    const message = box.take()
    if (message) return send(message.text)
    const release = await lockTerminal(terminal, signal)
    if (!release) return null
    const lines = startLines(terminal, signal, begun)
    begun = ''
    try {
      for (;;) {
        const line = await nextText(lines, `(${hint}${box.isHeld ? ' · Enter sends what is queued' : ''})\n> `)
        if (line === null) return signal.aborted ? null : 'leave'
        const isNext = box.queued.length === 0
        if (line.text.trim() !== '') box.queued.push(editorOf(line.text))
        box.isHeld = false
        const message = box.take()
        if (message && isNext) return { text: message.text }
        if (message) return send(message.text)
      }
    } finally {
      keep(lines.stop())
      release()
    }
  }

  function takeQueued(): Message[] {
    return box.takeMessages().map(({ text }) => send(text))
  }

  function send(text: string): Message {
    view.note(`> ${text}`)
    save()
    return { text }
  }

  function hold() {
    box.isHeld = box.queued.length > 0
  }

  /** A line cannot be edited if it has several rows. */
  function insert(text: string) {
    if (text.includes('\n')) view.note(`Not sent: ${text}`)
    else begun += text
  }

  function pause() {
    stopReading()
    isPaused = true
  }

  function resume() {
    isPaused = false
    print(unprinted)
    unprinted = ''
    if (isWorking) readAhead()
  }

  function close() {
    isWorking = false
    stopReading()
    resume()
  }

  function print(lines: string) {
    if (isPaused) unprinted += lines
    else if (ahead) ahead.interject(lines.replace(/\n$/, ''))
    else terminal.output.write(lines)
  }

  function work(what: string | null) {
    isWorking = what !== null
    if (isWorking && !isPaused) readAhead()
    else stopReading()
  }

  /** Reads while the agent works. Something else may use the terminal at first. */
  async function readAhead() {
    if (reading) return
    reading = new AbortController()
    const { signal } = reading
    process.on('SIGINT', onInterrupt)
    const given = await lockTerminal(terminal, signal)
    if (signal.aborted) return given?.()
    unlock = given ?? unlock
    const lines = startLines(terminal, signal, begun)
    ahead = lines
    begun = ''
    for (;;) {
      const line = await lines.next('', { joinsPaste: true })
      if (ahead !== lines) return
      if (line === null) break
      queue(line.text)
    }
    // Ctrl-C or Ctrl-D. The terminal itself sends another one as a signal.
    ahead = null
    keep(lines.stop())
    onInterrupt()
  }

  function stopReading() {
    process.off('SIGINT', onInterrupt)
    reading?.abort()
    reading = null
    const lines = ahead
    ahead = null
    if (lines) keep(lines.stop())
    unlock()
    unlock = () => {}
  }

  /** What was typed and not read yet: complete lines, and the one that the person is writing. */
  function keep(rest: string) {
    const end = rest.lastIndexOf('\n')
    if (end >= 0) queue(rest.slice(0, end))
    begun += rest.slice(end + 1)
  }

  function queue(text: string) {
    if (text.trim() === '') return
    box.queued.push(editorOf(text))
    view.note(`Queued: ${titleOf(text)}`)
    save()
  }

  function titleOf(text: string): string {
    return cut(harmlessTitle(text), columnsOf(terminal) - 'Queued: '.length)
  }

  /** After everything that this event causes: a message is in the journal before it leaves the draft. */
  function save() {
    setImmediate(() => options.saveDraft(box.draft()))
  }
}
