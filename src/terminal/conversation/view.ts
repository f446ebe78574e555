import { harmlessTitle } from '../../text/harmless.ts'
import { type Line, line } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { openInline } from '../screen.ts'
import { columnsOf, rowsOf, type Terminal } from '../terminal.ts'
import { MarkdownStream } from './markdown-stream.ts'

const turns = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const redrawAfter = 80

export interface ConversationView {
  /** A piece of what the agent says. */
  say(text: string): void
  /** What it said so far in this reply is void. */
  unsay(): void
  endReply(): void
  /** A call begins: a line that moves until it has its result. */
  begin(id: string, title: string): void
  /** The last line that it printed. */
  progress(id: string, text: string): void
  end(id: string, about: { lines: readonly string[]; failed: boolean }): void
  note(text: string, look?: 'dim' | 'yellow' | 'red'): void
  /** What the spinner says while nothing else is there. */
  work(what: string | null): void
  /** Takes everything that moves away, for a prompt or an input; `resume` brings it back. */
  suspend(): void
  resume(): void
}

interface Activity {
  title: string
  progress: string
}

/** The conversation on a terminal: what is done stays above, what is being done moves below. */
export function openConversation(terminal: Terminal): ConversationView {
  const screen = openInline(terminal)
  const stream = new MarkdownStream()
  const active = new Map<string, Activity>()
  let working: string | null = null
  let suspended = true
  let turn = 0
  let last: 'text' | 'call' | null = null
  let timer: NodeJS.Timeout | null = null
  return { say, unsay, endReply, begin, progress, end, note, work, suspend, resume }

  function say(text: string) {
    leaveAs('text', stream.push(text, columnsOf(terminal)))
  }

  function unsay() {
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

  function note(text: string, look: 'dim' | 'yellow' | 'red' = 'dim') {
    leave(text.split('\n').flatMap(one => wrap(line(one, look), columnsOf(terminal))))
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

  /** An empty line between what is said and what is done. */
  function leaveAs(sort: 'text' | 'call', lines: readonly Line[]) {
    if (lines.length === 0) return
    leave(sort === last ? lines : [[], ...lines])
    last = sort
  }

  function leave(lines: readonly Line[]) {
    if (lines.length > 0) screen.leave(lines)
    if (!suspended) draw()
  }

  function draw() {
    turn += 1
    const columns = columnsOf(terminal)
    const spinner = turns[turn % turns.length] ?? ''
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
