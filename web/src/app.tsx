import { useEffect, useState } from 'react'
import { onSignedOut, Refusal } from './api/call.ts'
import { currentSession, type Session, signIn, takeSecret } from './api/session.ts'
import { startFollowing } from './live.ts'
import { SignIn } from './pages/sign-in.tsx'
import { Shell } from './shell.tsx'
import { troubleIn } from './words/trouble.ts'
import { t } from './words/words.ts'

type Signed =
  | { readonly state: 'looking' }
  | { readonly state: 'in'; readonly session: Session }
  | { readonly state: 'out'; readonly why: string | null }

export function App() {
  const [signed, setSigned] = useState<Signed>({ state: 'looking' })
  useEffect(() => {
    void arrive().then(setSigned)
    const out: Signed = { state: 'out', why: t('You were signed out.') }
    return onSignedOut(() => setSigned(before => (before.state === 'in' ? out : before)))
  }, [])
  // A second sign-in link opened in the same tab changes nothing but the fragment.
  useEffect(() => {
    const again = () => {
      if (new URLSearchParams(location.hash.slice(1)).has('signin')) void arrive().then(setSigned)
    }
    window.addEventListener('hashchange', again)
    return () => window.removeEventListener('hashchange', again)
  }, [])
  useEffect(() => (signed.state === 'in' ? startFollowing() : undefined), [signed.state])
  // Signed in by another tab, or the server is back.
  useEffect(() => {
    if (signed.state !== 'out') return
    const again = () => void look().then(now => now.state === 'in' && setSigned(now))
    window.addEventListener('focus', again)
    document.addEventListener('visibilitychange', again)
    return () => {
      window.removeEventListener('focus', again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [signed.state])

  if (signed.state === 'looking') return <output className="first-look">{t('Loading…')}</output>
  if (signed.state === 'out')
    return <SignIn why={signed.why} onSecret={(secret, isLink) => void spend(secret, isLink).then(setSigned)} />
  return <Shell session={signed.session} onSignedOut={() => setSigned({ state: 'out', why: null })} />
}

// Asked once for each secret: effects may run twice, a link may be spent once.
let arrival: Promise<Signed> | null = null
let lastSecret: string | null = null

function arrive(): Promise<Signed> {
  const secret = takeSecret()
  if (arrival && (secret === null || secret === lastSecret)) return arrival
  lastSecret = secret
  arrival = secret === null ? look() : spend(secret)
  return arrival
}

async function look(): Promise<Signed> {
  try {
    const session = await currentSession()
    return session ? { state: 'in', session } : { state: 'out', why: null }
  } catch {
    return { state: 'out', why: t('The server cannot be reached.') }
  }
}

/** A spent link is no harm to somebody who is signed in already. */
async function spend(secret: string, isLink = true): Promise<Signed> {
  try {
    return { state: 'in', session: await signIn(secret) }
  } catch (error) {
    const signed = await look()
    if (signed.state === 'in') return signed
    const refused = error instanceof Refusal && error.status !== 429
    if (!refused) return { state: 'out', why: troubleIn(error) }
    const why = isLink
      ? t('This link was used before, or is too old.')
      : t('This is no token that may answer, and no link; or it was revoked.')
    return { state: 'out', why }
  }
}
