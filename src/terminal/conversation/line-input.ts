import { harmless } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { type Editor, edit, editorOf } from '../editor.ts'
import { layOutEditor } from '../editor-layout.ts'
import { isEnter, type Key, readKeys } from '../keys.ts'
import { openInline } from '../screen.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'

export interface LineInput {
  readonly terminal: Terminal
  /** A line below the text. */
  readonly hint: string
  /** Earlier inputs, oldest first. */
  readonly history: readonly string[]
  readonly signal: AbortSignal
  /** The initial text. */
  readonly text?: string
}

/** What the person wrote, or that they want to leave. Null if the signal aborted. */
export type Entered = { readonly text: string } | 'leave' | null

const promptMark = '> '

/** Reads one or more lines. Enter sends, Alt-Enter and Ctrl-J insert a line break, up and down browse the history. */
export async function readLine({ terminal, hint, history, signal, text = '' }: LineInput): Promise<Entered> {
  const unlock = await lockTerminal(terminal, signal)
  if (!unlock) return null
  const screen = openInline(terminal)
  const ended = Promise.withResolvers<Entered>()
  let editor = editorOf(text)
  let historyIndex = history.length
  let draft = ''
  let leaving = false
  const onAbort = () => ended.resolve(null)
  signal.addEventListener('abort', onAbort, { once: true })
  terminal.output.on('resize', draw)
  const stopKeys = readKeys(terminal, onKey, () => ended.resolve('leave'))
  draw()
  try {
    const entered = await ended.promise
    screen.leave(entered !== null && entered !== 'leave' ? echo(entered.text) : [])
    return entered
  } finally {
    signal.removeEventListener('abort', onAbort)
    terminal.output.off('resize', draw)
    stopKeys()
    screen.close()
    unlock()
  }

  function onKey(key: Key) {
    const wasLeaving = leaving
    leaving = false
    if (key.ctrl && key.name === 'c' && !key.pasted) onInterrupt(wasLeaving)
    else if (key.ctrl && key.name === 'd' && !key.pasted && editor.text === '') ended.resolve('leave')
    else if (isEnter(key)) {
      if (editor.text.trim() !== '') ended.resolve({ text: editor.text })
    } else change(key)
    draw()
  }

  /** The first Ctrl-C clears the text, the second one leaves. */
  function onInterrupt(wasLeaving: boolean) {
    if (editor.text === '' && wasLeaving) ended.resolve('leave')
    leaving = editor.text === ''
    editor = editorOf('')
  }

  function change(key: Key) {
    const next = edit(editor, key)
    if (next) editor = next
    else if (key.name === 'up') recall(-1)
    else if (key.name === 'down') recall(1)
  }

  function recall(by: -1 | 1) {
    const next = historyIndex + by
    if (next < 0 || next > history.length) return
    if (historyIndex === history.length) draft = editor.text
    historyIndex = next
    editor = editorOf(historyIndex === history.length ? draft : (history[historyIndex] ?? ''))
  }

  function draw() {
    screen.draw(frameOf(editor, leaving ? 'Press Ctrl-C again to leave' : hint, columnsOf(terminal), rowsOf(terminal)))
  }

  function echo(text: string): Line[] {
    const { lines } = layOutEditor(text, -1, columnsOf(terminal) - promptMark.length)
    return lines.map((one, i) => line(`${i === 0 ? promptMark : '  '}${shown(one)}`, 'bold'))
  }
}

function frameOf({ text, at }: Editor, hint: string, columns: number, rows: number) {
  const { lines, row, column } = layOutEditor(text, at, columns - promptMark.length - 1)
  // Keep the line with the cursor visible, however long the text is.
  const room = Math.max(1, rows - 3)
  const first = Math.max(0, Math.min(row - room + 1, lines.length - room))
  const visible = lines.slice(first, first + room)
  return {
    lines: [
      ...visible.map((one, i) => [...line(i + first === 0 ? promptMark : '  ', 'cyan'), ...line(shown(one))]),
      line(cut(`  ${hint}`, columns), 'dim'),
    ],
    cursor: { row: row - first, column: column + promptMark.length },
  }
}

function shown(text: string): string {
  return harmless(text.replaceAll('\t', '  '))
}
