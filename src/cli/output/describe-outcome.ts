import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { valuesOf } from './outcome-document.ts'

// Sentences about requests, the same wherever they are said. Everything in them is made harmless.

/** Who settled it, where, and how: `Answered by me (cli): yes`. Never a secret: outcomes do not carry any. */
export function describeOutcome(request: Request, { when = false } = {}): string {
  const { outcome } = request
  if (!outcome) return 'Still open'
  const { status, by, channel, at, answers, reason, note, edited } = outcome
  const verb = request.kind === 'dependency' && status === 'answered' ? 'provided' : status
  const values = answers.flatMap(valuesOf)
  const chosen = values.length > 0 ? values.join(', ') : (reason ?? '')
  const what = edited === undefined ? chosen : `${chosen}, but: ${edited}`
  const time = when ? ` at ${at}` : ''
  const head = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} by ${harmlessTitle(by)} (${harmlessTitle(channel)})${time}`
  return [head, ...(what ? [short(what)] : []), ...(note ? [`note: ${short(note)}`] : [])].join(': ')
}

/** How to get back to a request that stays open. */
export function howToResume({ id, kind }: Pick<Request, 'id' | 'kind'>, waitCommand: string): string {
  // What ends in an effect is taken up by the command that has the effect; wait would only look.
  const how = kind === 'dependency' || kind === 'approval' ? 'the same command again' : waitCommand
  return `${id} stays open. Pick it up again with: ${how}`
}

function short(text: string): string {
  return cut(harmlessTitle(text), 200)
}
