/** A part of a command that is marked as dangerous as a whole, or not at all. */
export interface Segment {
  readonly text: string
  readonly risky: boolean
}

export interface CommandLine {
  readonly segments: readonly Segment[]
  /** A number of empty lines, collapsed so that they push nothing out of view. */
  readonly empty: number
}

/**
 * The exact command, line by line. Every kind of white space but the plain space is visible, and what a span covers is
 * marked. Spans come from outside and may be anything.
 */
export function commandLines(command: string, spans: readonly (readonly [number, number])[]): CommandLine[] {
  const lines: CommandLine[] = []
  let at = 0
  let empty = 0
  for (const line of command.split('\n')) {
    if (line.trim() === '') empty++
    else {
      if (empty > 0) lines.push({ segments: [], empty })
      empty = 0
      lines.push({ segments: segmentsOf(line, at, spans), empty: 0 })
    }
    at += line.length + 1
  }
  return empty > 0 ? [...lines, { segments: [], empty }] : lines
}

/** The words and the spaces between them, each with its own segments. A line with too many words stays whole. */
export function splitWords(segments: readonly Segment[]): Segment[][] {
  const words: Segment[][] = []
  let wasBlank: boolean | null = null
  for (const { text, risky } of segments) {
    for (const part of text.split(/( +)/).filter(Boolean)) {
      const isBlank = part.startsWith(' ')
      if (isBlank !== wasBlank) words.push([])
      words.at(-1)?.push({ text: part, risky })
      wasBlank = isBlank
    }
  }
  return words.length > maxWords ? [[...segments]] : words
}

const maxWords = 4_000

function segmentsOf(line: string, offset: number, spans: readonly (readonly [number, number])[]): Segment[] {
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
