import { useEffect, useState } from 'react'
import { onSignedOut } from '../api/call.ts'
import { renewPush } from '../api/push.ts'
import { OutboxToast } from '../outbox/outbox-toast.tsx'
import { SignIn } from '../pages/sign-in.tsx'
import { startFollowing } from '../state/following.ts'
import { t } from '../words/translate.ts'
import { AppFrame } from './app-frame.tsx'
import { FrameSkeleton } from './frame-skeleton.tsx'
import { checkSession, redeem, type SignInState, signInOnce } from './signing-in.ts'

const betweenTries = 2_000

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
    if (signed.state !== 'out' && signed.state !== 'away') return
    const isAway = signed.state === 'away'
    const again = () => void checkSession().then(now => (isAway || now.state === 'in') && setSigned(now))
    const timer = isAway ? setInterval(again, betweenTries) : undefined
    for (const event of ['focus', 'online'] as const) window.addEventListener(event, again)
    document.addEventListener('visibilitychange', again)
    return () => {
      clearInterval(timer)
      for (const event of ['focus', 'online'] as const) window.removeEventListener(event, again)
      document.removeEventListener('visibilitychange', again)
    }
  }, [signed.state])

  switch (signed.state) {
    case 'checking':
      return <FrameSkeleton isAway={false} />
    case 'away':
      return <FrameSkeleton isAway />
    case 'out':
      return <SignIn why={signed.why} onSecret={(secret, isLink) => void redeem(secret, isLink).then(setSigned)} />
    case 'in':
      return (
        <>
          <AppFrame session={signed.session} onSignedOut={() => setSigned({ state: 'out', why: null })} />
          <OutboxToast />
        </>
      )
  }
}
