import type { PhoneLink, Session, SignedInBrowser, SignInLink } from '../../../src/protocol/session.ts'
import { call, Refusal } from './call.ts'
import { forgetPage, keepPage } from './page-secret.ts'

export type { Session, SignedInBrowser as SignedIn } from '../../../src/protocol/session.ts'

/** Who is signed in; null where nobody is. */
export async function currentSession(): Promise<Session | null> {
  return call('sessions.current', []).catch(error => {
    if (error instanceof Refusal && [401, 403].includes(error.status)) return null
    throw error
  })
}

export async function signIn(secret: string): Promise<Session> {
  const { page, ...session } = await call('sessions.signIn', [{ secret }])
  keepPage(page)
  return session
}

export async function signOut(): Promise<void> {
  await call('sessions.signOut', [])
  forgetPage()
}

/** A link for another device of the same person; it works once, and for a few minutes. */
export function makeLink(): Promise<SignInLink> {
  return call('sessions.makeLink', [])
}

/** A link for a phone, which can answer and not manage; its `url` is null where no phone can reach this server. */
export function makePhoneLink(): Promise<PhoneLink> {
  return call('sessions.makePhoneLink', [])
}

/** The secret of a sign-in link, removed from the address so that neither history nor screen shows it. */
export function takeSecret(): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get('signin')
  if (secret !== null) history.replaceState(null, '', location.pathname + location.search)
  return secret
}

export function listSessions(): Promise<SignedInBrowser[]> {
  return call('sessions.list', [])
}

export function endSession(id: string): Promise<unknown> {
  return call('sessions.end', [id])
}

/** Every other browser of the same person, as after a phone was lost. */
export function endOtherSessions(): Promise<unknown> {
  return call('sessions.endOthers', [])
}
