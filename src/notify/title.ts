import type { Request } from '../protocol/index.ts'
import { harmlessTitle } from '../text/harmless.ts'

const longest = 120

/**
 * The one line that leaves the house. A command may carry a key and a description may repeat one, so of an approval only
 * the program is named, and of a dependency what it is. Words that look like keys are left out of the rest.
 */
export function titleFor(request: Request): string {
  switch (request.kind) {
    case 'question':
      return short(request.questions[0]?.question ?? '')
    case 'dependency':
      return short(`${request.name} (${request.type.replace('_', ' ')}) is needed`)
    case 'approval':
      return short(`Approve ${programOf(request.action.command)}?`)
    case 'review':
      return short(`Review: ${request.title}`)
  }
}

/** `A=1 sudo /usr/bin/git push` is sudo: what is run, and nothing that it is given. */
function programOf(command: string): string {
  const word = command
    .trim()
    .split(/\s+/)
    .find(part => !/^\w+=/.test(part))
  const name = word?.split('/').at(-1) ?? ''
  return /^[\w.+-]{1,40}$/.test(name) ? name : 'a command'
}

function short(text: string): string {
  const line = harmlessTitle(text.slice(0, 4_000).toWellFormed()).replaceAll(longWord, hideKey)
  const letters = [...line]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line
}

const longWord = /[\w+/=.~-]{16,}/g

/** Letters and digits in one long word: a key, a token, a hash. Names of files and plain words stay. */
function hideKey(word: string): string {
  const digits = word.match(/\d/g)?.length ?? 0
  return digits >= 3 && /[a-z]/i.test(word) ? '[…]' : word
}
