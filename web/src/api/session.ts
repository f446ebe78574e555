import { call, Refusal } from './call.ts'
import { forgetPage, keepPage } from './page-secret.ts'

export interface Session {
  user: string
  scope: 'ask' | 'run' | 'answer' | 'admin'
  expiresAt: string | null
}

/** Who is signed in; null where nobody is. */
export async function currentSession(): Promise<Session | null> {
  return call<Session>('GET', '/session').catch(error => {
    if (error instanceof Refusal && [401, 403].includes(error.status)) return null
    throw error
  })
}

export async function signIn(secret: string): Promise<Session> {
  const { page, ...session } = await call<Session & { page: string }>('POST', '/session', { body: { secret } })
  keepPage(page)
  return session
}

export async function signOut(): Promise<void> {
  await call('DELETE', '/session')
  forgetPage()
}

/** A link for another device of the same person; it works once, and not for long. */
export function makeLink(): Promise<{ url: string; expiresAt: string }> {
  return call('POST', '/session/links')
}

/** The secret of a sign-in link, taken out of the address so that it is in no history and on no screen. */
export function takeSecret(): string | null {
  const secret = new URLSearchParams(location.hash.slice(1)).get('signin')
  if (secret !== null) history.replaceState(null, '', location.pathname + location.search)
  return secret
}

/** A browser that is signed in. */
export interface SignedIn {
  id: string
  user: string
  scope: Session['scope']
  device: string | null
  current: boolean
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}

export async function listSessions(): Promise<SignedIn[]> {
  return (await call<{ sessions: SignedIn[] }>('GET', '/sessions')).sessions
}

export function endSession(id: string): Promise<unknown> {
  return call('DELETE', `/sessions/${encodeURIComponent(id)}`)
}

/** Every other browser of the same person, as after a phone was lost. */
export function endOtherSessions(): Promise<unknown> {
  return call('DELETE', '/sessions')
}
