import { type FormEvent, useState } from 'react'
import { Mark } from '../components/icons.tsx'
import { t } from '../words/translate.ts'
import './sign-in.css'

export function SignIn({ why, onSecret }: { why: string | null; onSecret: (secret: string, isLink: boolean) => void }) {
  const [pasted, setPasted] = useState('')
  return (
    <main className="sign-in">
      <div className="sign-in-card">
        <Mark size={40} />
        <h1>{t('Sign in to Beckon')}</h1>
        {why && (
          <p className="notice bad" role="alert">
            {why}
          </p>
        )}
        <p>{t('Open the link that beckon serve prints. Each works once.')}</p>
        <form onSubmit={send}>
          <label htmlFor="link">{t('Or paste a link or token')}</label>
          <input
            id="link"
            type="password"
            value={pasted}
            onChange={event => setPasted(event.target.value)}
            autoComplete="off"
            spellCheck={false}
          />
          <button type="submit" className="primary" disabled={pasted.trim() === ''}>
            {t('Sign in')}
          </button>
        </form>
        <p className="quiet">
          {t('Get a new link:')} <code>npx beckon token link</code>
        </p>
      </div>
    </main>
  )

  function send(event: FormEvent) {
    event.preventDefault()
    const [, secret] = /#signin=([^&\s]+)/.exec(pasted) ?? []
    onSecret(secret ? decodeURIComponent(secret) : pasted.trim(), secret !== undefined)
  }
}
