import { Refusal } from '../api/call.ts'
import { t, translated } from './words.ts'

/** What went wrong, for the person who meets it: in their language, or at least of what kind it is. */
export function troubleIn(error: unknown): string {
  if (!(error instanceof Error) || error.message === '') return t('Something went wrong.')
  if (!(error instanceof Refusal)) return translated(error.message) ?? error.message
  return saidIn(error)
    .map(said => translated(said) ?? `${kindOf(error)} (${said})`)
    .join(' ')
}

/** The messages without their paths: the person sees one field, not a document. */
function saidIn({ details, message }: Refusal): string[] {
  if (!Array.isArray(details)) return [message]
  const messages = details
    .map((problem: { message?: unknown }) => problem.message)
    .filter(one => typeof one === 'string')
  return messages.length > 0 ? messages : [message]
}

function kindOf({ status }: Refusal): string {
  if (status === 422 || status === 400) return t('That was not accepted.')
  if (status === 404 || status === 410) return t('That is not there any more.')
  if (status === 401 || status === 403) return t('That is not allowed here.')
  if (status === 413) return t('That is too large.')
  return status === 429 || status >= 503 ? t('The server cannot do that now. Try again.') : t('Something went wrong.')
}
