/** A part of a command, all of it marked as dangerous or none of it. */
export interface Stretch {
  readonly text: string
  readonly risky: boolean
}

export interface CommandLine {
  readonly stretches: readonly Stretch[]
  /** So many empty lines, in place of any text: they push nothing out of sight. */
  readonly empty: number
}

/**
 * A command to the letter, line by line. Every kind of space but the usual one shows; what a span covers is marked. Spans
 * come from outside and may be anything.
 */
export function commandLines(command: string, spans: readonly (readonly [number, number])[]): CommandLine[] {
  const lines: CommandLine[] = []
  let at = 0
  let empty = 0
  for (const line of command.split('\n')) {
    if (line.trim() === '') empty++
    else {
      if (empty > 0) lines.push({ stretches: [], empty })
      empty = 0
      lines.push({ stretches: stretchesOf(line, at, spans), empty: 0 })
    }
    at += line.length + 1
  }
  return empty > 0 ? [...lines, { stretches: [], empty }] : lines
}

/** Words, and the blanks between them; each with its own stretches. Where there are too many, the line as a whole. */
export function wordsIn(stretches: readonly Stretch[]): Stretch[][] {
  const words: Stretch[][] = []
  let wasBlank: boolean | null = null
  for (const { text, risky } of stretches) {
    for (const part of text.split(/( +)/).filter(Boolean)) {
      const isBlank = part.startsWith(' ')
      if (isBlank !== wasBlank) words.push([])
      words.at(-1)?.push({ text: part, risky })
      wasBlank = isBlank
    }
  }
  return words.length > mostWords ? [[...stretches]] : words
}

const mostWords = 4_000

function stretchesOf(line: string, offset: number, spans: readonly (readonly [number, number])[]): Stretch[] {
  const inside = (at: number) => Math.min(line.length, Math.max(0, at - offset))
  const edges = new Set([0, line.length, ...spans.flatMap(([from, to]) => [inside(from), inside(to)])])
  const sorted = [...edges].sort((a, b) => a - b)
  return sorted.slice(1).map((to, i) => {
    const from = sorted[i] ?? 0
    const risky = spans.some(([start, end]) => start < to + offset && end > from + offset)
    return { text: visibleSpaces(line.slice(from, to)), risky }
  })
}

function visibleSpaces(text: string): string {
  return text
    .replaceAll(/[^\S \t]/g, space => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\t', '\\t')
}
