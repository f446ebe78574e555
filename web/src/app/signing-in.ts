import { Refusal, Unreachable } from '../api/call.ts'
import { currentSession, type Session, signIn, takeSecret } from '../api/session.ts'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'

/** `away`: the server cannot be reached, so nobody knows. */
export type SignInState =
  | { readonly state: 'checking' }
  | { readonly state: 'in'; readonly session: Session }
  | { readonly state: 'out'; readonly why: string | null }
  | { readonly state: 'away' }

// Once per secret: effects may run twice, but a link works once.
let signingIn: Promise<SignInState> | null = null
let lastSecret: string | null = null

export function signInOnce(): Promise<SignInState> {
  const secret = takeSecret()
  if (signingIn && (secret === null || secret === lastSecret)) return signingIn
  lastSecret = secret
  signingIn = secret === null ? checkSession() : redeem(secret)
  return signingIn
}

export async function checkSession(): Promise<SignInState> {
  try {
    const session = await currentSession()
    return session ? { state: 'in', session } : { state: 'out', why: null }
  } catch (error) {
    return error instanceof Unreachable ? { state: 'away' } : { state: 'out', why: errorText(error) }
  }
}

/** A used link does no harm to a person who is already signed in. */
export async function redeem(secret: string, isLink = true): Promise<SignInState> {
  try {
    return { state: 'in', session: await signIn(secret) }
  } catch (error) {
    const signed = await checkSession()
    if (signed.state === 'in') return signed
    const refused = error instanceof Refusal && error.status !== 429
    if (!refused) return { state: 'out', why: errorText(error) }
    const why = isLink
      ? t('This link has expired or was already used.')
      : t('This link or token does not work here. It may be revoked, or it may not allow signing in.')
    return { state: 'out', why }
  }
}
