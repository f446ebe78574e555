import type { Request } from '../../protocol/request.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'

/** Notes that a person added, on stderr: stdout has the answer alone. With `--json`, they are in the document. */
export function tellNotes({ stderr }: Context, request: Request): void {
  for (const note of notesOf(request)) stderr.write(`beckon: ${note}\n`)
}

function notesOf(request: Request): string[] {
  const { note = null, answers = [] } = request.outcome ?? {}
  const questions = request.kind === 'question' ? request.questions : []
  const whole = note === null ? [] : [`Note: ${harmlessTitle(note)}`]
  const each = answers.flatMap(answer => {
    if (answer.note === null || answer.note === note) return []
    const { header = '', question = '' } = questions.find(({ id }) => id === answer.id) ?? {}
    const about = questions.length > 1 ? ` on ${harmlessTitle(header || question)}` : ''
    return [`Note${about}: ${harmlessTitle(answer.note)}`]
  })
  return [...whole, ...each]
}
