import type { DiffFile, DiffLine } from '../text/diff.ts'

// What a reviewer writes is one text, which is the draft, and in the end the feedback that the agent reads: the comments on
// lines first, each with the line that it is about, and then the rest. So a draft that was begun on the page goes on in a
// terminal, and the other way round; nothing else has to be stored.
//
//   src/parse.ts:12: Why not a map?
//   > const rows = split(source)
//
//   Otherwise fine.

export interface LineComment {
  /** As the diff names it. */
  readonly path: string
  readonly line: number
  /** The line is not there any more; its number is the one before the change. */
  readonly removed: boolean
  readonly text: string
}

export interface Feedback {
  /** In the order of the diff. */
  readonly comments: readonly LineComment[]
  readonly rest: string
}

export type LineKey = Pick<LineComment, 'path' | 'line' | 'removed'>

const between = '\n\n'

export function formatFeedback({ comments, rest }: Feedback, files: readonly DiffFile[]): string {
  const place = new Map(allLines(files).map(({ key }, i) => [nameOf(key), i]))
  const blocks = comments
    .filter(comment => comment.text.trim() !== '' && place.has(nameOf(comment)))
    .toSorted((a, b) => (place.get(nameOf(a)) ?? 0) - (place.get(nameOf(b)) ?? 0))
    .map(comment => `${headOf(comment)} ${comment.text}\n${quoteAt(comment, files)}`)
  return [...blocks, ...(rest === '' ? [] : [rest])].join(between)
}

/** The comments at its beginning that are about lines of this diff. Everything else is the rest, and stays as it is. */
export function parseFeedback(text: string, files: readonly DiffFile[]): Feedback {
  if (text === '' || files.length === 0) return { comments: [], rest: text }
  const known = new Map(allLines(files).map(({ key }) => [headOf(key), key]))
  const comments: LineComment[] = []
  let rest = text
  for (;;) {
    const found = firstComment(rest, known, files)
    if (!found) return { comments, rest }
    comments.push(found.comment)
    rest = found.rest
  }
}

const headEnd = /:\d+(?: \(removed\))?:(?= )/g

function firstComment(text: string, known: ReadonlyMap<string, LineKey>, files: readonly DiffFile[]) {
  const [firstLine = ''] = text.split('\n', 1)
  // A path may contain what looks like the end of one.
  const starts = [...firstLine.matchAll(headEnd)].map(({ 0: end, index }) => firstLine.slice(0, index + end.length))
  const start = starts.find(start => known.has(start)) ?? ''
  const key = known.get(start)
  if (!key) return null
  const after = text.slice(start.length + 1)
  const end = `\n${quoteAt(key, files)}`
  for (let at = after.indexOf(end); at >= 0; at = after.indexOf(end, at + 1)) {
    const rest = after.slice(at + end.length)
    if (rest === '' || rest.startsWith(between)) {
      return { comment: { ...key, text: after.slice(0, at) }, rest: rest.slice(between.length) }
    }
  }
  return null
}

export function keyOf({ path }: DiffFile, { before, after }: DiffLine): LineKey | null {
  const line = after ?? before
  return line === null ? null : { path, line, removed: after === null }
}

/** Sets the text of the comment on a line; an empty one removes it. */
export function withComment({ comments, rest }: Feedback, key: LineKey, text: string): Feedback {
  const others = comments.filter(comment => nameOf(comment) !== nameOf(key))
  return { comments: text.trim() === '' ? others : [...others, { ...key, text }], rest }
}

export function nameOf({ path, line, removed }: LineKey): string {
  return JSON.stringify([path, line, removed])
}

function headOf({ path, line, removed }: LineKey): string {
  return `${path.replaceAll(/\p{Cc}/gu, '\ufffd')}:${line}${removed ? ' (removed)' : ''}:`
}

const longestQuote = 200

function quoteAt({ path, line, removed }: LineKey, files: readonly DiffFile[]): string {
  const lines = files.find(file => file.path === path)?.lines ?? []
  const found = lines.find(({ before, after }) => (removed ? after === null && before === line : after === line))
  const text = (found?.text ?? '').trimEnd()
  return `> ${text.length > longestQuote ? `${text.slice(0, longestQuote).replace(/[\ud800-\udbff]$/, '')}…` : text}`
}

function allLines(files: readonly DiffFile[]) {
  return files.flatMap(file =>
    file.lines.flatMap(line => {
      const key = keyOf(file, line)
      return key ? [{ key, line }] : []
    }),
  )
}
