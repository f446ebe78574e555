import { Refusal, Unreachable } from '../api/call.ts'
import { t, translateMessage } from './translate.ts'

/** What went wrong, in the reader's language. Where only the hub's English is known, it follows in parentheses. */
export function errorText(error: unknown): string {
  if (error instanceof Unreachable) return t('The server cannot be reached.')
  if (error instanceof Refusal) return refusalText(error)
  if (!(error instanceof Error) || error.message === '') return t('Something went wrong.')
  return translateMessage(error.message) ?? error.message
}

function refusalText(error: Refusal): string {
  const known = byCode(error)
  if (known !== null) return known
  return problemsIn(error)
    .map(({ path, message }) => {
      const lead = byPath(path)
      if (lead !== null) return `${lead} (${message})`
      return translateMessage(message) ?? `${byStatus(error)} (${message})`
    })
    .join(' ')
}

/** Codes that say everything there is to say. */
function byCode({ code, status }: Refusal): string | null {
  if (code === 'closed') return t('The server is shutting down. Try again in a moment.')
  if (code === 'too_many') return t('Too many attempts. Wait a minute, then try again.')
  return status === 500 ? t('Something went wrong on the server. Its log has the details.') : null
}

/** Fields that the person did not type into. */
function byPath(path: string): string | null {
  if (path === 'edited') return t('The guard refuses this command.')
  if (path === 'keep') return t('This value cannot be kept.')
  if (path === 'status') return t('The run has changed in the meantime.')
  return null
}

interface Problem {
  readonly path: string
  readonly message: string
}

/** A person sees one field, not a document, so paths are not part of the text. */
function problemsIn({ details, message }: Refusal): Problem[] {
  const problems = Array.isArray(details) ? details.filter(isProblem) : []
  return problems.length > 0 ? problems : [{ path: '', message }]
}

function isProblem(value: unknown): value is Problem {
  const { path, message } = (value ?? {}) as Partial<Problem>
  return typeof path === 'string' && typeof message === 'string'
}

function byStatus({ status }: Refusal): string {
  if (status === 422 || status === 400) return t('The server did not accept this.')
  if (status === 404 || status === 410) return t('This no longer exists.')
  if (status === 401 || status === 403) return t('You are not allowed to do this.')
  if (status === 413) return t('This is too large.')
  return status === 429 || status >= 503 ? t('The server is busy. Try again in a moment.') : t('Something went wrong.')
}
