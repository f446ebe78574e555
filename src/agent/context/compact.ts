import type { ModelMessage } from 'ai'
import type { History } from '../journal/history.ts'
import { estimateTokens, tokensOfMessage } from './tokens.ts'

// When the context is full, its older part is replaced by a summary. The model writes the summary; what must not depend on
// it is added by us: every answer that a person gave, to the letter, and the names of all files that were touched.

export interface CompactionPlan {
  /** The first line of the journal that stays as it is. */
  readonly from: number
  /** What is summarised, as text. */
  readonly transcript: string
}

/** Where to cut: as many whole recent messages stay as make a quarter of what there is. Null when there is nothing to gain. */
export function planCompaction(history: History, limit: number): CompactionPlan | null {
  const told = history.told()
  const all = told.reduce((total, { message }) => total + tokensOfMessage(message), 0)
  const room = Math.min(limit, all) / 4
  let kept = 0
  let cut = told.length
  for (let i = told.length - 1; i > 0; i -= 1) {
    const item = told[i]
    if (!item) break
    kept += tokensOfMessage(item.message)
    if (kept > room && cut < told.length) break
    // A reply and its results are not parted.
    if (item.message.role !== 'tool') cut = i
  }
  const first = told[cut]
  if (!first || cut === 0) return null
  const older = told.slice(0, cut).map(({ message }) => message)
  const earlier = history.summary === null ? [] : [`Summary of what came before:\n${history.summary}`]
  const transcript = [...earlier, ...older.map(textOf)].join('\n\n')
  return { from: first.line, transcript: middleOut(transcript, limit) }
}

/** The summary as the model gets it. */
export function composeSummary(history: History, written: string, journal: string): string {
  const answers = history.answers.map(({ question, answer }) => `- ${oneLine(question)}\n  ${indent(answer)}`)
  const files = [...history.files].slice(-mostFiles)
  return [
    'The earlier part of this conversation was summarised, to make room. The summary:',
    written.trim(),
    ...(answers.length > 0 ? [`What the person answered when asked, to the letter:\n${answers.join('\n')}`] : []),
    ...(files.length > 0 ? [`Files that were read or changed:\n${files.map(file => `- ${file}`).join('\n')}`] : []),
    `The whole conversation is in ${journal}, one JSON document per line; look something up there with Grep or Read.`,
  ].join('\n\n')
}

/** Where the model cannot be asked for one: what people said, line by line. */
export function mechanicalSummary(plan: CompactionPlan): string {
  const said = plan.transcript.split('\n\n').filter(part => part.startsWith('Person: '))
  return `(No summary could be written.) What the person said:\n${said.map(part => `- ${part.slice(8, 508)}`).join('\n')}`
}

const mostFiles = 1_000
const longestPart = 2_000

function textOf(message: ModelMessage): string {
  const { role, content } = message
  if (typeof content === 'string') return `${role === 'user' ? 'Person' : 'Agent'}: ${content}`
  return content.map(part => partText(part as Part)).join('\n')
}

interface Part {
  type: string
  text?: string
  toolName?: string
  input?: unknown
  output?: { value?: unknown }
}

function partText({ type, text, toolName, input, output }: Part): string {
  switch (type) {
    case 'text':
      return `Agent: ${text}`
    case 'tool-call':
      return `Agent calls ${toolName}: ${short(JSON.stringify(input))}`
    case 'tool-result':
      return `Result of ${toolName}: ${short(String(output?.value ?? ''))}`
    default:
      return ''
  }
}

function short(text: string): string {
  return text.length <= longestPart ? text : `${text.slice(0, longestPart / 2)} … ${text.slice(-longestPart / 2)}`
}

/** No longer than the model can read: the beginning has the task, the end what was done last. */
function middleOut(text: string, limit: number): string {
  const tokens = estimateTokens(text)
  const room = limit * 0.75
  if (tokens <= room) return text
  const characters = Math.floor((text.length * room) / tokens)
  return `${text.slice(0, characters / 4)}\n\n…\n\n${text.slice(-(characters * 3) / 4)}`.toWellFormed()
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ')
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n  ')
}
