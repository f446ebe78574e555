import type { ApprovalRequest, Question, QuestionRequest, Request } from '../protocol/index.ts'
import { harmlessLines } from '../text/harmless.ts'
import { hidesKeys } from '../text/keys.ts'

/** What a request that can be answered in a message consists of: all that a person needs to read, and what they can choose. */
export interface Answerable {
  /** The whole request. A message that has buttons shows all of this. */
  text: string
  question: string
  options: string[]
}

// What chats show without cutting it. In bytes: ntfy makes a file of a message that has more than 4,096 with its title and
// facts. Slack's buttons have the least room.
const longestText = 2_000
const longestLabel = 60
const mostOptions = 10
// An agent's option must not look like the way to the page.
const ownButton = /^open\s+in\s+beckon/i
// What stands below many lines, or far to the right, is not seen.
const mostLines = 40
const farAway = /\s{40}/

/**
 * Only what a message can show whole: one question with a choice, or an action that is not dangerous. Everything else is
 * answered on the page: high and critical approvals, secrets, reviews, files, context, more than one question, text that
 * hides something or is long, and text that may contain a key.
 */
export function answerable(request: Request): Answerable | null {
  if ((request.context ?? '').trim() !== '' || request.attachments.length > 0 || request.messages.length > 0)
    return null
  const found = candidate(request)
  return found && isWhole(found) ? found : null
}

function candidate(request: Request): Answerable | null {
  if (request.kind === 'question') return choice(request)
  return request.kind === 'approval' ? mildAction(request) : null
}

function choice({ questions }: QuestionRequest): Answerable | null {
  const [question, ...others] = questions
  if (!question || others.length > 0 || question.multiSelect || question.options.length === 0) return null
  if (question.options.some(({ preview }) => preview !== '')) return null
  const { header, question: text, options } = question
  return {
    text: [...(header ? [header] : []), text, ...describe(question)].join('\n'),
    question: question.id,
    options: options.map(({ label }) => label),
  }
}

/** The options that say more than their label. */
function describe({ options }: Question): string[] {
  return options.flatMap(({ label, description }) => (description === '' ? [] : [`• ${label}: ${description}`]))
}

const mild = ['none', 'low', 'medium']

/**
 * With all that the page shows of it; the page alone shows the text of scripts that it runs. Each thing is one line: the
 * lines of a command could look like the reasons of the hub, which the page keeps apart.
 */
function mildAction({ action }: ApprovalRequest): Answerable | null {
  const { severity, cwd, files = [], facts, starts = [], reasons, claims = [] } = action
  if (!mild.includes(severity) || facts?.files.some(({ text }) => text !== undefined)) return null
  const lines = [
    ...whatOf(action),
    `in ${cwd}`,
    ...starts.map(command => `• starts: ${command}`),
    ...reasons.map(({ message }) => `• ${message}`),
    ...files.map(path => `• with the file: ${path}`),
    ...(facts?.unbound ?? []).map(what => `• not covered: ${what}`),
    ...claims.map(({ message }) => `• the agent says: ${message}`),
  ]
  if (lines.some(line => /[\r\n]/.test(line))) return null
  return { text: lines.join('\n'), question: 'approval', options: ['yes', 'no'] }
}

/** A shell tool's input has more in it than the command: a time limit, or whether it runs in a sandbox. */
function whatOf({ command, tool, input = {} }: ApprovalRequest['action']): string[] {
  return [
    ...(command === undefined ? [] : [command]),
    ...(tool === undefined ? [] : [`${tool} ${JSON.stringify(input)}`]),
  ]
}

/** Nobody agrees to what they could not read, and no key leaves the hub. */
function isWhole({ text, options }: Answerable): boolean {
  const isPlain = (label: string) =>
    label.length <= longestLabel && !label.includes('\n') && label.trim() === label && !ownButton.test(label)
  if (options.length > mostOptions || !options.every(isPlain) || new Set(options).size < options.length) return false
  if (Buffer.byteLength(text) > longestText || text.split('\n').length > mostLines || farAway.test(text)) return false
  const all = [text, ...options].join('\n')
  return harmlessLines(all) === all && !hidesKeys(all)
}
