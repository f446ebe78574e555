import type { ModelMessage } from 'ai'
import type { History } from '../journal/history.ts'
import { cutMiddle } from './cut-middle.ts'
import { keepPersonMessages } from './person-messages.ts'
import { tokensOfMessage } from './tokens.ts'

// When the context is full, a summary replaces its older part. The model writes the summary; we add what must not depend
// on it: what a person wrote and answered, word for word, the files that were touched, and the names in use.

export interface CompactionPlan {
  /** The first line of the journal that is kept as it is. */
  readonly from: number
  /** The text to summarise. */
  readonly transcript: string
}

/** Where to cut: the most recent messages, up to a quarter of all tokens, are kept. Null when there is nothing to gain. */
export function planCompaction(history: History, limit: number): CompactionPlan | null {
  const messages = history.entries()
  const all = messages.reduce((total, { message }) => total + tokensOfMessage(message), 0)
  const room = Math.min(limit, all) / 4
  let kept = 0
  let cut = messages.length
  for (let i = messages.length - 1; i > 0; i -= 1) {
    const item = messages[i]
    if (!item) break
    kept += tokensOfMessage(item.message)
    if (kept > room && cut < messages.length) break
    // A reply and its results stay together.
    if (item.message.role !== 'tool') cut = i
  }
  const first = messages[cut]
  if (!first || cut === 0) return null
  const older = messages.slice(0, cut).map(({ message }) => message)
  const earlier = history.summary === null ? [] : [`Summary of what came before:\n${history.summary}`]
  const transcript = [...earlier, ...older.map(transcribe)].join('\n\n')
  // The beginning has the task, the end what was done last.
  return { from: first.line, transcript: cutMiddle(transcript, limit * 0.75, { headShare: 1 / 4, note: () => '…' }) }
}

/** The summary as the model reads it. */
export function composeSummary(
  history: History,
  written: string,
  { journal, from, limit, keep }: { journal: string; from: number; limit: number; keep: string },
): string {
  const messages = history.personMessages.filter(({ line }) => line < from).map(({ text }) => text)
  const answers = history.answers.map(({ question, answer }) => `- ${oneLine(question)}\n  ${indent(answer)}`)
  const changed = [...history.changedFiles].slice(-maxFiles)
  const read = [...history.files].filter(file => !history.changedFiles.has(file)).slice(-maxFiles)
  const names = history.names.latest()
  return [
    'The earlier part of this conversation was summarised, to make room. The summary:',
    written.trim(),
    ...(keep === '' ? [] : [`The person asked to keep in particular:\n${keep}`]),
    ...keepPersonMessages(messages, limit, journal),
    ...(answers.length > 0 ? [`What the person answered when asked, word for word:\n${answers.join('\n')}`] : []),
    ...(changed.length > 0 ? [`Files that were changed:\n${bulleted(changed)}`] : []),
    ...(read.length > 0 ? [`Files that were read:\n${bulleted(read)}`] : []),
    ...(names.length > 0 ? [`Names in use, the latest last: ${names.join(', ')}`] : []),
    `The whole conversation is in ${journal}, one JSON document per line; look something up there with Grep or Read.`,
  ].join('\n\n')
}

/** Used when the model cannot write one. */
export const noSummary = '(No summary could be written. Look at the files and the conversation to see what was done.)'

const maxFiles = 1_000
const maxPart = 2_000

function transcribe(message: ModelMessage): string {
  const { role, content } = message
  if (typeof content === 'string') return `${role === 'user' ? 'Person' : 'Agent'}: ${content}`
  return content.map(part => transcribePart(part as Part, role === 'user' ? 'Person' : 'Agent')).join('\n')
}

interface Part {
  type: string
  text?: string
  filename?: string
  toolName?: string
  input?: unknown
  output?: { value?: unknown }
}

function transcribePart({ type, text, filename, toolName, input, output }: Part, who: string): string {
  switch (type) {
    case 'text':
      return `${who}: ${text}`
    case 'file':
      return `(with the image ${filename})`
    case 'tool-call':
      return `Agent calls ${toolName}: ${short(JSON.stringify(input))}`
    case 'tool-result':
      return `Result of ${toolName}: ${short(String(output?.value ?? ''))}`
    default:
      return ''
  }
}

function short(text: string): string {
  return text.length <= maxPart ? text : `${text.slice(0, maxPart / 2)} … ${text.slice(-maxPart / 2)}`
}

function bulleted(lines: readonly string[]): string {
  return lines.map(line => `- ${line}`).join('\n')
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
