import type { Outcome } from '../../protocol/answer.ts'
import type { Request } from '../../protocol/request.ts'
import { editText } from '../../rules/action-text.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { cut } from '../../text/width.ts'
import { valuesOf } from './outcome-document.ts'

// Sentences about requests that several commands print. Text from agents and people is made harmless.

/** Who settled it, where and how: `Answered by me (cli): yes`. Never a secret: outcomes do not contain any. */
export function describeOutcome(request: Request, { when = false } = {}): string {
  const { outcome } = request
  if (!outcome) return 'Still open'
  const { status, by, channel, at, answers, reason, note, edited } = outcome
  if (channel === 'policy')
    return ['cancelled', 'orphaned'].includes(status) ? withdrawn(outcome, when) : timeIsUp(outcome)
  const verb = request.kind === 'dependency' && status === 'answered' ? 'provided' : status
  const values = answers.flatMap(valuesOf)
  const chosen = values.length > 0 ? values.join(', ') : (reason ?? '')
  const what = edited === undefined ? chosen : `${chosen}, but: ${editText(edited)}`
  const time = when ? ` at ${at}` : ''
  const head = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} by ${harmlessTitle(by)} (${harmlessTitle(channel)})${time}`
  return [head, ...(what ? [short(what)] : []), ...(note ? [`note: ${short(note)}`] : [])].join(': ')
}

/** The asker's own deadline settled it. */
function timeIsUp({ status, answers, reason }: Outcome): string {
  const values = answers.flatMap(valuesOf)
  if (status === 'defaulted') return `Time is up: the default "${short(values.join(', '))}" was used.`
  return `Time is up: nobody answered.${reason ? ` ${short(reason)}` : ''}`
}

/** Its run ended or was stopped while it was open. */
function withdrawn({ at, reason }: Outcome, when: boolean): string {
  return `Withdrawn${when ? ` at ${at}` : ''}${reason ? `: ${short(reason)}` : ''}`
}

/** How the caller continues with a request that stays open. */
export function howToResume({ id }: Request, resumeCommand: string): string {
  return `${id} stays open. To continue: ${harmlessTitle(resumeCommand)}`
}

/** How the caller gets what was granted. No command does where only the agent that asked can use it. */
export function howToUse(request: Request, resumeCommand: string | null): string {
  const how = resumeCommand === null ? 'Only the agent that asked can use it.' : `To continue: ${resumeCommand}`
  return `${describeOutcome(request)}. Nothing was run. ${harmlessTitle(how)}`
}

function short(text: string): string {
  return cut(harmlessTitle(text), 200)
}
