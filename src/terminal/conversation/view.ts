/** How much of an output and of a diff is shown. */
export const maxLines = 3
export const maxDiffLines = 20

/** What an agent does, as a person sees it. */
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
  /** Shows what came of it; null if that is on the screen already. */
  end(id: string, result: CallEnd | null): void
  note(text: string, style?: 'dim' | 'yellow' | 'red'): void
  /** What it does while no tool runs; null while it does nothing. `tokens` is how many the turn has taken so far. */
  work(what: string | null, tokens?: () => number): void
}

export interface CallEnd {
  /** The call in one line, also for one that never began. */
  readonly title: string
  /** The output, or its beginning. */
  readonly lines: readonly string[]
  readonly failed: boolean
  /** What changed in a file, as a unified diff; shown instead of the lines. */
  readonly diff?: string | undefined
  /** Says that there are more lines. */
  countMore(lines: number): string
}

/** The beginning, and how much more there is. */
export function fold<Line>(lines: readonly Line[], most: number, more: (count: number) => Line): readonly Line[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), more(lines.length - most)]
}
