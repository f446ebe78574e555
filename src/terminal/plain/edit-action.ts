import { editableText, readEdit } from '../../rules/action-text.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { paint } from '../paint.ts'
import { columnsOf } from '../terminal.ts'
import { isDangerous, verdictLines } from '../verdict-lines.ts'
import { type Conversation, explain, type Step } from './conversation.ts'
import { nextText } from './next-text.ts'

/** Asks for another version of an approval's command. The guard judges it before the person approves it. */
export async function editAction(conversation: Conversation, i: number): Promise<Step> {
  const { form, hub, lines, say, terminal } = conversation
  const { request } = form
  if (request.kind !== 'approval') return 'again'
  say(`It is now: ${harmlessTitle(editableText(request.action))}`)
  const line = await nextText(lines, 'Enter your version, or nothing to go back: ')
  if (line === null) return null
  if (line.text.trim() === '') return 'again'
  const edited = readEdit(request.action, line.text)
  if (!edited) return refused('That is not JSON.')
  try {
    const verdict = await hub.judge(request.id, edited)
    if (verdict.verdict === 'deny')
      return refused(
        `The guard refuses this: ${verdict.reasons.map(({ message }) => harmlessTitle(message)).join(' ')}`,
      )
    for (const row of verdictLines({ edited, verdict }, columnsOf(terminal))) say(paint(row, false))
    const answer = await lines.next('Type yes to approve your version, or nothing to go back: ')
    if (answer === null) return null
    if (answer.text.trim().toLowerCase() !== 'yes') return refused('Nothing was approved.')
    if (isDangerous(verdict) && !answer.typed)
      return refused(
        'This is dangerous. To approve it, type the word at a terminal; pasted or piped input does not count.',
      )
  } catch (error) {
    return refused(explain(error))
  }
  const note = form.entry(i).note.trim() || null
  return { verb: 'answer', input: { value: 'yes', edited, note } }

  function refused(why: string): Step {
    say(why)
    return 'again'
  }
}

/** Declines with a reason; nothing goes back to the options. */
export async function declineWithReason({ lines }: Conversation): Promise<Step> {
  const line = await nextText(lines, 'Why? (nothing to go back): ')
  if (line === null) return null
  return line.text.trim() === '' ? 'again' : { verb: 'decline', reason: line.text.trim() }
}
