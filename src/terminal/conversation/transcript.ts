import { type DiffFile, parseDiff } from '../../text/diff.ts'
import { type Line, line, widthOfLine } from '../../text/styled.ts'
import { cut } from '../../text/width.ts'
import { wrap } from '../../text/wrap.ts'
import { diffCounts, fileLines } from '../diff-lines.ts'
import type { Editor } from '../editor.ts'
import type { Activity } from './activity.ts'
import { echoLines } from './box-frame.ts'
import { MarkdownStream } from './markdown-stream.ts'
import { type CallEnd, type ConversationView, fold, maxDiffLines, maxLines } from './view.ts'

type Kind = 'text' | 'call' | 'message' | 'decision'

export interface TranscriptOptions {
  readonly activity: Activity
  columns(): number
  /** Something is different on the screen. */
  changed(): void
}

/** What stays on the screen, in lines that are printed once, and the end of a reply that may still change. */
export class Transcript implements ConversationView {
  readonly #activity: Activity
  readonly #columns: () => number
  readonly #changed: () => void
  readonly #stream = new MarkdownStream()
  #unprinted: Line[] = []
  #last: Kind | null = null

  constructor({ activity, columns, changed }: TranscriptOptions) {
    this.#activity = activity
    this.#columns = columns
    this.#changed = changed
  }

  /** The lines that are not printed yet. */
  take(): Line[] {
    const lines = this.#unprinted
    this.#unprinted = []
    return lines
  }

  open(columns: number): Line[] {
    return this.#stream.open(columns)
  }

  /** The next line begins a new part, after an empty line. */
  startPart(): void {
    this.#last = null
  }

  /** Something else prints its lines next. Where nothing was printed since the last time, they belong together. */
  leaveGap(): void {
    if (this.#last !== null && this.#last !== 'decision') this.#unprinted.push([])
  }

  echo(message: Editor): void {
    this.#print('message', echoLines(message, this.#columns()))
  }

  /** What a prompt left, with what it printed to be read. */
  decide(settled: readonly Line[], reading: readonly Line[]): void {
    if (reading.length > 0) this.#last = null
    this.#print('decision', [...reading, ...settled])
  }

  say(text: string): void {
    this.#print('text', this.#stream.push(text, this.#columns()))
  }

  discardReply(): void {
    this.#stream.drop()
    this.#changed()
  }

  endReply(): void {
    this.#print('text', this.#stream.end(this.#columns()))
  }

  begin(id: string, title: string): void {
    this.#activity.begin(id, title)
    this.#changed()
  }

  progress(id: string, text: string): void {
    this.#activity.progress(id, text)
    this.#changed()
  }

  end(id: string, result: CallEnd | null): void {
    const columns = this.#columns()
    this.#activity.end(id)
    this.#changed()
    if (!result) return
    const [file] = result.diff === undefined ? [] : parseDiff(result.diff)
    const counts = file ? diffCounts(file) : []
    const room = columns - 2 - widthOfLine(counts)
    const mark = result.failed ? line('✗ ', 'red') : line('● ', 'green')
    const head: Line = [...mark, ...line(cut(result.title, room)), ...counts]
    this.#print('call', [head, ...(file ? changeLines(file, result, columns) : outputLines(result, columns))])
  }

  note(text: string, style: 'dim' | 'yellow' | 'red' = 'dim'): void {
    this.#unprinted.push(...text.split('\n').flatMap(one => wrap(line(one, style), this.#columns())))
    this.#changed()
  }

  work(what: string | null, tokens?: () => number): void {
    this.#activity.work(what, tokens)
    this.#changed()
  }

  /** Separates replies, tool calls and messages by an empty line. */
  #print(kind: Kind, lines: readonly Line[]): void {
    this.#changed()
    if (lines.length === 0) return
    if (kind !== this.#last) this.#unprinted.push([])
    this.#unprinted.push(...lines)
    this.#last = kind
  }
}

function outputLines({ lines, countMore }: CallEnd, columns: number): readonly Line[] {
  return fold(lines, maxLines, countMore).map(one => line(cut(`  ${one}`, columns), 'dim'))
}

/** With line numbers; where lines are left out between two changes, three dots. */
function changeLines({ lines }: DiffFile, { countMore }: CallEnd, columns: number): readonly Line[] {
  const shown = lines.slice(1).map(one => (one.kind === 'hunk' ? { ...one, kind: 'note' as const, text: '⋮' } : one))
  const more = (count: number) => line(cut(`  ${countMore(count)}`, columns), 'dim')
  return fold(fileLines({ lines: shown }, columns), maxDiffLines, more)
}
