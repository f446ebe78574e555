import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { openInline } from '../screen.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { MarkdownStream } from './markdown-stream.ts'

const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const redrawAfter = 80

export interface ConversationView {
  /** Adds a piece of the agent's reply. */
  say(text: string): void
  /** Discards the part of the reply that is not final yet. */
  discardReply(): void
  endReply(): void
  /** Shows a tool call as a line with a spinner until it ends. */
  begin(id: string, title: string): void
  /** Shows the last line of the call's output. */
  progress(id: string, text: string): void
  end(id: string, result: { lines: readonly string[]; failed: boolean }): void
  note(text: string, style?: 'dim' | 'yellow' | 'red'): void
  /** The spinner's text while nothing else is shown. */
  work(what: string | null): void
  /** Removes everything that moves, to make room for a prompt. `resume` brings it back. */
  suspend(): void
  resume(): void
}

interface Activity {
  title: string
  progress: string
}

/** The conversation in frames: finished output stays above, current activity is redrawn below it. */
export function openRichView(terminal: Terminal): ConversationView {
  const screen = openInline(terminal)
  const stream = new MarkdownStream()
  const active = new Map<string, Activity>()
  let working: string | null = null
  let suspended = true
  let tick = 0
  let last: 'text' | 'call' | null = null
  let timer: NodeJS.Timeout | null = null
  return { say, discardReply, endReply, begin, progress, end, note, work, suspend, resume }

  function say(text: string) {
    leaveAs('text', stream.push(text, columnsOf(terminal)))
  }

  function discardReply() {
    stream.drop()
  }

  function endReply() {
    leaveAs('text', stream.end(columnsOf(terminal)))
  }

  function begin(id: string, title: string) {
    active.set(id, { title, progress: '' })
  }

  function progress(id: string, text: string) {
    const last = text.split('\n').findLast(one => one.trim() !== '')
    const known = active.get(id)
    if (known && last) known.progress = harmlessTitle(last)
  }

  function end(id: string, { lines, failed }: { lines: readonly string[]; failed: boolean }) {
    const columns = columnsOf(terminal)
    const title = active.get(id)?.title ?? id
    active.delete(id)
    const head: Line = [...line(failed ? '✗ ' : '● ', failed ? 'red' : 'green'), ...line(cut(title, columns - 2))]
    leaveAs('call', [head, ...lines.map(one => line(cut(`  ${one}`, columns), 'dim'))])
  }

  function note(text: string, style: 'dim' | 'yellow' | 'red' = 'dim') {
    leave(text.split('\n').flatMap(one => wrap(line(one, style), columnsOf(terminal))))
  }

  function work(what: string | null) {
    working = what
  }

  function suspend() {
    suspended = true
    last = null
    if (timer) clearInterval(timer)
    timer = null
    screen.close()
  }

  function resume() {
    suspended = false
    timer ??= setInterval(draw, redrawAfter)
  }

  /** Separates replies and tool calls by an empty line. */
  function leaveAs(kind: 'text' | 'call', lines: readonly Line[]) {
    if (lines.length === 0) return
    leave(kind === last ? lines : [[], ...lines])
    last = kind
  }

  function leave(lines: readonly Line[]) {
    if (lines.length > 0) screen.leave(lines)
    if (!suspended) draw()
  }

  function draw() {
    tick += 1
    const columns = columnsOf(terminal)
    const spinner = spinnerFrames[tick % spinnerFrames.length] ?? ''
    const moving = [...active.values()].flatMap(({ title, progress }): Line[] => [
      [...line(`${spinner} `, 'cyan'), ...line(cut(title, columns - 2))],
      ...(progress ? [line(cut(`  ${progress}`, columns), 'dim')] : []),
    ])
    const waiting = moving.length === 0 && working ? [line(cut(`${spinner} ${working}`, columns), 'dim')] : []
    const room = Math.max(1, rowsOf(terminal) - 2 - moving.length - waiting.length)
    const lines = [...stream.open(columns).slice(-room), ...moving, ...waiting].slice(-(rowsOf(terminal) - 1))
    screen.draw({ lines, cursor: null })
  }
}
