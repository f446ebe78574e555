// The output of a run as lines of coloured text. Colours become class names. Every other escape sequence is dropped,
// because a log is not a screen; other control characters stay, and the renderer shows them as escapes.

interface Style {
  readonly foreground: number | null
  readonly background: number | null
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
}

export interface LogSpan {
  readonly text: string
  /** Class names, or an empty string. */
  readonly className: string
}

export interface LogLine {
  readonly spans: readonly LogSpan[]
  readonly text: string
  readonly stream: 'out' | 'err' | 'in' | 'note'
}

const plain: Style = { foreground: null, background: null, bold: false, dim: false, italic: false, underline: false }
const maxLineLength = 10_000
// More lines than this no browser can scroll and no tab can hold. Dropped in batches, because each removal costs.
const defaultMaxLines = 500_000

// CSI, OSC and other strings up to their end, two-character sequences, and a sequence cut off at the end.
const sequence = new RegExp(
  [
    '\\x1b(?:\\[([\\x30-\\x3f]*)[\\x20-\\x2f]*([\\x40-\\x7e])',
    '[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\|$)',
    '[\\x20-\\x2f]*[\\x30-\\x7e]',
    '$)',
  ].join('|'),
  'g',
)

/** Parses a log as it grows. The last line may be incomplete. */
export class LogLines {
  readonly #done: LogLine[] = []
  #rest = ''
  #stream: LogLine['stream'] = 'out'
  #style = plain
  #open: LogLine | null = null
  #dropped = 0
  readonly #maxLines: number

  constructor(maxLines = defaultMaxLines) {
    this.#maxLines = maxLines
  }

  push(stream: LogLine['stream'], text: string): void {
    if (stream !== this.#stream && this.#rest !== '') this.#finish()
    this.#stream = stream
    const parts = `${this.#rest}${text}`.split('\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#done.push(this.#line(part))
    this.#dropOldest()
    this.#dropOverwritten()
    if (this.#rest.length > maxLineLength) this.#finish()
    // The incomplete line is parsed again later, so its colours must not carry over.
    const style = this.#style
    this.#open = this.#rest === '' ? null : this.#line(this.#rest)
    this.#style = style
  }

  lines(): readonly LogLine[] {
    return this.#open ? [...this.#done, this.#open] : this.#done
  }

  /** How many lines were dropped before the first one that is left. */
  get dropped(): number {
    return this.#dropped
  }

  #dropOldest(): void {
    if (this.#done.length <= this.#maxLines * 1.1) return
    this.#dropped += this.#done.splice(0, this.#done.length - this.#maxLines).length
  }

  /** A progress bar is one line: keep only its last state and the colour it started with. */
  #dropOverwritten(): void {
    const last = this.#rest.lastIndexOf('\r', this.#rest.length - 2)
    if (last < 0 || this.#rest.length < maxLineLength / 2) return
    for (const match of this.#rest.slice(0, last).matchAll(sequence)) {
      if (match[2] === 'm') this.#style = applyCodes(this.#style, match[1] ?? '')
    }
    this.#rest = this.#rest.slice(last + 1)
  }

  #finish(): void {
    this.#done.push(this.#line(this.#rest))
    this.#rest = ''
    this.#open = null
  }

  #line(source: string): LogLine {
    const spans: LogSpan[] = []
    let at = 0
    const text = lastOverwrite(source)
    for (const match of text.matchAll(sequence)) {
      this.#span(spans, text.slice(at, match.index))
      at = match.index + match[0].length
      if (match[2] === 'm') this.#style = applyCodes(this.#style, match[1] ?? '')
    }
    this.#span(spans, text.slice(at))
    return { spans, text: spans.map(span => span.text).join(''), stream: this.#stream }
  }

  #span(spans: LogSpan[], text: string): void {
    if (text !== '') spans.push({ text, className: classNames(this.#style) })
  }
}

/** A carriage return starts the line again, as progress bars do: the last text remains. */
function lastOverwrite(source: string): string {
  const line = source.endsWith('\r') ? source.slice(0, -1) : source
  return line.includes('\r') ? (line.split('\r').findLast(text => text !== '') ?? '') : line
}

function applyCodes(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = style
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    if (code === 38 || code === 48) {
      const [colour, taken] = extended(codes.slice(i + 1))
      next = code === 38 ? { ...next, foreground: colour } : { ...next, background: colour }
      i += taken
    } else next = applyCode(next, code)
  }
  return next
}

function applyCode(style: Style, code: number): Style {
  if (code === 0) return plain
  if (code === 1) return { ...style, bold: true }
  if (code === 2) return { ...style, dim: true }
  if (code === 3) return { ...style, italic: true }
  if (code === 4) return { ...style, underline: true }
  if (code === 22) return { ...style, bold: false, dim: false }
  if (code === 23) return { ...style, italic: false }
  if (code === 24) return { ...style, underline: false }
  if (code >= 30 && code <= 37) return { ...style, foreground: code - 30 }
  if (code === 39) return { ...style, foreground: null }
  if (code >= 40 && code <= 47) return { ...style, background: code - 40 }
  if (code === 49) return { ...style, background: null }
  if (code >= 90 && code <= 97) return { ...style, foreground: code - 90 + 8 }
  if (code >= 100 && code <= 107) return { ...style, background: code - 100 + 8 }
  return style
}

/** Maps 256 colours and true colours to the nearest of the sixteen, which are legible on light and dark. */
function extended([kind, ...rest]: readonly number[]): [number | null, number] {
  if (kind === 5) return [nearest(...of256(rest[0] ?? 0)), 2]
  if (kind === 2) return [nearest(rest[0] ?? 0, rest[1] ?? 0, rest[2] ?? 0), 4]
  return [null, 1]
}

function of256(index: number): [number, number, number] {
  if (index >= 232) return [8 + (index - 232) * 10, 8 + (index - 232) * 10, 8 + (index - 232) * 10]
  if (index >= 16) {
    const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
    const cube = index - 16
    return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)]
  }
  const bright = index >= 8 ? 255 : 187
  const bit = (mask: number) => (index & mask ? bright : 0)
  return [bit(1), bit(2), bit(4)]
}

function nearest(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue)
  if (most < 48) return 0
  const bits = [red, green, blue].reduce((sum, part, i) => sum | (part > most * 0.6 ? 1 << i : 0), 0)
  if (bits === 7) return most > 200 ? 15 : most > 128 ? 7 : 8
  return bits + (most > 200 ? 8 : 0)
}

function classNames({ foreground, background, bold, dim, italic, underline }: Style): string {
  return [
    foreground === null ? '' : `fg-${foreground}`,
    background === null ? '' : `bg-${background}`,
    bold ? 'bold' : '',
    dim ? 'dim' : '',
    italic ? 'italic' : '',
    underline ? 'underlined' : '',
  ]
    .filter(Boolean)
    .join(' ')
}
