import { harmless } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { type Editor, edit, editorOf } from '../editor.ts'
import { layOut } from '../editor-layout.ts'
import { isEnter, type Key, readKeys } from '../keys.ts'
import { openInline } from '../screen.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { takeTurn } from '../terminal-lock.ts'

export interface LineInput {
  readonly terminal: Terminal
  /** Shown under the text, as what there is to know. */
  readonly hint: string
  /** What was entered before, the oldest first. */
  readonly history: readonly string[]
  readonly signal: AbortSignal
  /** What is there to begin with. */
  readonly text?: string
}

/** What a person wrote, or that they want to leave. Null when the signal came. */
export type Entered = { readonly text: string } | 'leave' | null

const mark = '> '

/** A text of one or several lines. Enter sends; Alt-Enter and Ctrl-J write a line break; up and down go through the history. */
export async function readLine({ terminal, hint, history, signal, text = '' }: LineInput): Promise<Entered> {
  const endTurn = await takeTurn(terminal, signal)
  if (!endTurn) return null
  const screen = openInline(terminal)
  const ended = Promise.withResolvers<Entered>()
  let editor = editorOf(text)
  let place = history.length
  let written = ''
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
    endTurn()
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

  /** The first one takes the text away, the second one leaves. */
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
    const next = place + by
    if (next < 0 || next > history.length) return
    if (place === history.length) written = editor.text
    place = next
    editor = editorOf(place === history.length ? written : (history[place] ?? ''))
  }

  function draw() {
    screen.draw(frameOf(editor, leaving ? 'Ctrl-C again leaves' : hint, columnsOf(terminal), rowsOf(terminal)))
  }

  function echo(text: string): Line[] {
    const { lines } = layOut(text, -1, columnsOf(terminal) - mark.length)
    return lines.map((one, i) => line(`${i === 0 ? mark : '  '}${shown(one)}`, 'bold'))
  }
}

function frameOf({ text, at }: Editor, hint: string, columns: number, rows: number) {
  const { lines, row, column } = layOut(text, at, columns - mark.length - 1)
  // The line of the cursor stays in sight, however long the text.
  const room = Math.max(1, rows - 3)
  const first = Math.max(0, Math.min(row - room + 1, lines.length - room))
  const visible = lines.slice(first, first + room)
  return {
    lines: [
      ...visible.map((one, i) => [...line(i + first === 0 ? mark : '  ', 'cyan'), ...line(shown(one))]),
      line(cut(`  ${hint}`, columns), 'dim'),
    ],
    cursor: { row: row - first, column: column + mark.length },
  }
}

function shown(text: string): string {
  return harmless(text.replaceAll('\t', '  '))
}
