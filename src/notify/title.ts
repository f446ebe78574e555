import type { Action, Request, Run } from '../protocol/index.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { hideKeys } from '../text/keys.ts'

const longestTitle = 120

/**
 * The one line of a request that is sent to other services. Commands and descriptions may contain keys, so an approval
 * names only the program and a dependency only what is needed. Words that look like keys are removed from the rest.
 */
export function titleFor(request: Request): string {
  switch (request.kind) {
    case 'question':
      return short(request.questions[0]?.question ?? '')
    case 'dependency':
      return short(`${request.name} (${request.type.replace('_', ' ')}) is needed`)
    case 'approval':
      return short(`Approve ${nameOf(request.action)}?`)
    case 'review':
      return short(`Review: ${request.title}`)
  }
}

export function titleOfFailure({ name, reason }: Run): string {
  return short(`${name} failed: ${reason ?? 'no reason is known'}`, 300)
}

function nameOf({ command, tool = '' }: Action): string {
  if (command !== undefined) return programOf(command)
  return /^[\w.+-]{1,80}$/.test(tool) ? tool : 'a tool'
}

/** The program without its arguments: `A=1 sudo /usr/bin/git push` is sudo. */
function programOf(command: string): string {
  const word = command
    .trim()
    .split(/\s+/)
    .find(part => !/^\w+=/.test(part))
  const name = word?.split('/').at(-1) ?? ''
  return /^[\w.+-]{1,40}$/.test(name) ? name : 'a command'
}

/** One harmless line, without words that look like keys. */
export function short(text: string, longest = longestTitle): string {
  const line = hideKeys(harmlessTitle(text.slice(0, 4_000).toWellFormed()))
  const letters = [...line]
  return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : line
}
