import type { Message } from '../protocol/message.ts'
import { ageOf } from '../text/age.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { type Line, line } from '../text/styled.ts'
import { cut } from '../text/width.ts'
import { wrap } from '../text/wrap.ts'
import { indented, paragraphs } from './paragraphs.ts'

const longestName = 40

/** What people asked back and what the agent replied, oldest first. What an agent writes is a claim, and labelled so. */
export function threadLines(messages: readonly Message[], columns: number, now: number): Line[] {
  return messages.flatMap(message => [
    ...wrap(line(messageTitle(message, now), message.from === 'agent' ? 'yellow' : 'cyan'), columns),
    ...indented(paragraphs(message.text, columns - 2)),
  ])
}

function messageTitle({ from, by, at }: Message, now: number): string {
  const name = cut(harmlessTitle(by), longestName)
  const age = `${ageOf(at, now)} ago`
  return from === 'agent' ? `${name} says (unchecked), ${age}:` : `${name} asked back, ${age}:`
}
