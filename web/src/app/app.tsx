import { useEffect, useState } from 'react'
import { onSignedOut, Refusal } from '../api/call.ts'
import { renewPush } from '../api/push.ts'
import { currentSession, type Session, signIn, takeSecret } from '../api/session.ts'
import { OutboxToast } from '../outbox/outbox-toast.tsx'
import { SignIn } from '../pages/sign-in.tsx'
import { startFollowing } from '../state/hub-state.ts'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import { AppFrame } from './app-frame.tsx'

type SignInState =
  | { readonly state: 'checking' }
  | { readonly state: 'in'; readonly session: Session }
  | { readonly state: 'out'; readonly why: string | null }

export function App() {
  const [signed, setSigned] = useState<SignInState>({ state: 'checking' })
  useEffect(() => {
    void signInOnce().then(setSigned)
    const out: SignInState = { state: 'out', why: t('You have been signed out.') }
    return onSignedOut(() => setSigned(before => (before.state === 'in' ? out : before)))
  }, [])
  // Opening a second sign-in link in the same tab changes only the fragment.
  useEffect(() => {
    const again = () => {
      if (new URLSearchParams(location.hash.slice(1)).has('signin')) void signInOnce().then(setSigned)
    }
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  useEffect(() => (signed.state === 'in' ? startFollowing() : undefined), [signed.state])
  useEffect(() => {
    if (signed.state === 'in') void renewPush().catch(() => {})
  }, [signed.state])
  // Another tab may have signed in, or the server may be back.
  useEffect(() => {
    if (signed.state !== 'out') return
    const again = () => void checkSession().then(now => now.state === 'in' && setSigned(now))
    window.addEventListener('focus', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      window.removeEventListener('focus', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [signed.state])

  if (signed.state === 'checking') return <output className="loading-screen">{t('Loading…')}</output>
  if (signed.state === 'out')
    return <SignIn why={signed.why} onSecret={(secret, isLink) => void redeem(secret, isLink).then(setSigned)} />
  return (
    <>
      <AppFrame session={signed.session} onSignedOut={() => setSigned({ state: 'out', why: null })} />
      <OutboxToast />
    </>
  )
}

// Once per secret: effects may run twice, but a link works once.
let signingIn: Promise<SignInState> | null = null
let lastSecret: string | null = null

function signInOnce(): Promise<SignInState> {
  const secret = takeSecret()
  if (signingIn && (secret === null || secret === lastSecret)) return signingIn
  lastSecret = secret
  signingIn = secret === null ? checkSession() : redeem(secret)
  return signingIn
}

async function checkSession(): Promise<SignInState> {
  try {
    const session = await currentSession()
    return session ? { state: 'in', session } : { state: 'out', why: null }
  } catch {
    return { state: 'out', why: t('The server cannot be reached.') }
  }
}

/** A used link does no harm to a person who is already signed in. */
async function redeem(secret: string, isLink = true): Promise<SignInState> {
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
