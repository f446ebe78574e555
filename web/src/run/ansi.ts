// Output of a run as lines of coloured text. Colours are obeyed, as classes; every other escape sequence is dropped,
// because a log is no screen; what is still hidden after that is shown as an escape by whoever renders it.

interface Look {
  readonly ink: number | null
  readonly ground: number | null
  readonly bold: boolean
  readonly dim: boolean
  readonly italic: boolean
  readonly underline: boolean
}

export interface LogSpan {
  readonly text: string
  /** Class names, or nothing. */
  readonly look: string
}

export interface LogLine {
  readonly spans: readonly LogSpan[]
  readonly text: string
  readonly stream: 'out' | 'err' | 'in' | 'note'
}

const plain: Look = { ink: null, ground: null, bold: false, dim: false, italic: false, underline: false }
const longestLine = 10_000
// More than that no browser can scroll, nor a tab keep. Dropped by many at a time, because each time costs.
const usuallyMost = 500_000

// CSI, OSC and other strings up to their end, two-character sequences, and one that was cut off at the end.
const sequence = new RegExp(
  [
    '\\x1b(?:\\[([\\x30-\\x3f]*)[\\x20-\\x2f]*([\\x40-\\x7e])',
    '[\\]PX^_][^\\x07\\x1b]*(?:\\x07|\\x1b\\\\|$)',
    '[\\x20-\\x2f]*[\\x30-\\x7e]',
    '$)',
  ].join('|'),
  'g',
)

/** Reads a log as it grows. The last line may still be going on. */
export class LogLines {
  readonly #done: LogLine[] = []
  #rest = ''
  #stream: LogLine['stream'] = 'out'
  #look = plain
  #open: LogLine | null = null
  #dropped = 0
  readonly #most: number

  constructor(most = usuallyMost) {
    this.#most = most
  }

  push(stream: LogLine['stream'], text: string): void {
    if (stream !== this.#stream && this.#rest !== '') this.#finish()
    this.#stream = stream
    const parts = `${this.#rest}${text}`.split('\n')
    this.#rest = parts.pop() ?? ''
    for (const part of parts) this.#done.push(this.#line(part))
    this.#dropOldest()
    this.#forgetPasses()
    if (this.#rest.length > longestLine) this.#finish()
    // The line that goes on is looked at without keeping its colours.
    const look = this.#look
    this.#open = this.#rest === '' ? null : this.#line(this.#rest)
    this.#look = look
  }

  lines(): readonly LogLine[] {
    return this.#open ? [...this.#done, this.#open] : this.#done
  }

  /** How many came before the first one that is still here. */
  get dropped(): number {
    return this.#dropped
  }

  #dropOldest(): void {
    if (this.#done.length <= this.#most * 1.1) return
    this.#dropped += this.#done.splice(0, this.#done.length - this.#most).length
  }

  /** A progress bar that runs for minutes is one line: only its last pass is kept, and the colour it began with. */
  #forgetPasses(): void {
    const last = this.#rest.lastIndexOf('\r', this.#rest.length - 2)
    if (last < 0 || this.#rest.length < longestLine / 2) return
    for (const match of this.#rest.slice(0, last).matchAll(sequence)) {
      if (match[2] === 'm') this.#look = changed(this.#look, match[1] ?? '')
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
    const text = lastPass(source)
    for (const match of text.matchAll(sequence)) {
      this.#span(spans, text.slice(at, match.index))
      at = match.index + match[0].length
      if (match[2] === 'm') this.#look = changed(this.#look, match[1] ?? '')
    }
    this.#span(spans, text.slice(at))
    return { spans, text: spans.map(span => span.text).join(''), stream: this.#stream }
  }

  #span(spans: LogSpan[], text: string): void {
    if (text !== '') spans.push({ text, look: classesOf(this.#look) })
  }
}

/** A carriage return begins the line anew, as progress bars do: the last one that has text is what is left. */
function lastPass(source: string): string {
  const line = source.endsWith('\r') ? source.slice(0, -1) : source
  return line.includes('\r') ? (line.split('\r').findLast(pass => pass !== '') ?? '') : line
}

function changed(look: Look, parameters: string): Look {
  const codes = parameters.split(/[;:]/).map(Number)
  let next = look
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0
    if (code === 38 || code === 48) {
      const [colour, taken] = extended(codes.slice(i + 1))
      next = code === 38 ? { ...next, ink: colour } : { ...next, ground: colour }
      i += taken
    } else next = one(next, code)
  }
  return next
}

function one(look: Look, code: number): Look {
  if (code === 0) return plain
  if (code === 1) return { ...look, bold: true }
  if (code === 2) return { ...look, dim: true }
  if (code === 3) return { ...look, italic: true }
  if (code === 4) return { ...look, underline: true }
  if (code === 22) return { ...look, bold: false, dim: false }
  if (code === 23) return { ...look, italic: false }
  if (code === 24) return { ...look, underline: false }
  if (code >= 30 && code <= 37) return { ...look, ink: code - 30 }
  if (code === 39) return { ...look, ink: null }
  if (code >= 40 && code <= 47) return { ...look, ground: code - 40 }
  if (code === 49) return { ...look, ground: null }
  if (code >= 90 && code <= 97) return { ...look, ink: code - 90 + 8 }
  if (code >= 100 && code <= 107) return { ...look, ground: code - 100 + 8 }
  return look
}

/** One of 256, or any: the nearest of the sixteen, which are legible on light and on dark. */
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

function classesOf({ ink, ground, bold, dim, italic, underline }: Look): string {
  return [
    ink === null ? '' : `ink-${ink}`,
    ground === null ? '' : `ground-${ground}`,
    bold ? 'bold' : '',
    dim ? 'dim' : '',
    italic ? 'italic' : '',
    underline ? 'underlined' : '',
  ]
    .filter(Boolean)
    .join(' ')
}
