import type { ScriptedReply, Seen } from '../wires/wire.ts'
import type { Person } from './person.ts'

/** One turn of the day: what the person says, what the model does about it, and what the person does meanwhile. */
export interface Turn {
  readonly say: string
  /** The replies of the model before the one that ends the turn. */
  readonly replies: readonly ScriptedReply[]
  /** What the person does first. */
  readonly before?: (person: Person) => Promise<unknown>
  /** What the person does until the turn has ended. */
  readonly meanwhile?: (person: Person, ending: string) => Promise<unknown>
  /** What the model says at the end. */
  readonly text?: string
  /** What the person does afterwards. */
  readonly after?: (person: Person) => Promise<unknown>
  /** How the process ends: killed during the turn, which the next process finishes, or left after it. */
  readonly end?: 'killed' | 'left'
  /** What the turn leaves in the transcript, beside what was said. */
  readonly leaves?: readonly string[]
  /** Lines that it leaves in the log of the run. */
  readonly logs?: readonly string[]
}

/** The last reply of a turn. */
export function endingOf(turn: number): string {
  return `Turn ${turn} is done.`
}

/** What the person types: the number tells the model which turn it is, whatever is left of the conversation. */
export function messageOf(turn: number, { say }: Turn): string {
  return `${turn}. ${say}`
}

/** The model of the day. It depends only on what it receives, so a restart or a summary cannot confuse it. */
export function replyTo(day: readonly Turn[], seen: Seen): ScriptedReply {
  const task = /^Help as (\w+)\./.exec(firstText(seen))?.[1]
  if (task) return replyAsHelper(task, seen)
  const at = seen.items.findLastIndex(item => item.type === 'user' && /^\d+\. /.test(item.text))
  if (at === -1 || seen.tools.length === 0) return { text: 'A summary: chapters were written.' }
  const number = Number.parseInt((seen.items[at] as { text: string }).text, 10)
  const replies = seen.items.slice(at + 1).filter((item, i, after) => isReply(item) && !isReply(after[i - 1]))
  const turn = day[number - 1]
  return turn?.replies[replies.length] ?? { text: [turn?.text, endingOf(number)].filter(Boolean).join('\n\n') }
}

/** A sub-agent: one asks, each leaves a file. */
function replyAsHelper(name: string, seen: Seen): ScriptedReply {
  const results = seen.items.filter(({ type }) => type === 'result').length
  const steps: ScriptedReply[] = [
    ...(name === 'proofreader' ? [{ calls: [call('AskUserQuestion', { question: 'British or American?' })] }] : []),
    { calls: [call('Write', { path: `${name}.md`, content: `${name} was here\n` })] },
  ]
  return steps[results] ?? { text: `The ${name} has finished.` }
}

export function call(name: string, input: object) {
  return { name, input }
}

function firstText({ items: [first] }: Seen): string {
  return first && 'text' in first ? first.text : ''
}

function isReply(item: Seen['items'][number] | undefined): boolean {
  return item?.type === 'call' || item?.type === 'assistant'
}
