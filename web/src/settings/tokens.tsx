import { type FormEvent, useState } from 'react'
import { createToken, listTokens, revokeToken, type Scope, scopes } from '../api/tokens.ts'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Ago } from '../components/time.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { moment } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { useList } from './use-list.ts'

const day = 86_400_000

/** Tokens that may ask or answer over HTTP. */
export function Tokens() {
  const [secret, setSecret] = useState<string | null>(null)
  const { items: tokens, failure, change } = useList(listTokens)
  const active = (tokens ?? []).filter(({ revokedAt }) => revokedAt === null)

  return (
    <>
      <ErrorMessage text={failure} />
      {active.length > 0 && (
        <ul className="item-list">
          {active.map(token => (
            <li key={token.id}>
              <div>
                <p>
                  <b>
                    <UntrustedTitle text={token.name} longest={80} />
                  </b>{' '}
                  <span className="tag">{token.scope}</span>
                </p>
                <p className="quiet">
                  {token.lastUsedAt === null ? t('never used') : t('last used')}{' '}
                  {token.lastUsedAt !== null && <Ago at={token.lastUsedAt} />}
                  {token.expiresAt !== null && ` · ${t('until {time}', { time: moment(token.expiresAt) })}`}
                </p>
              </div>
              <div className="button-row">
                <ConfirmButton
                  label={t('Revoke…')}
                  confirmLabel={t('Revoke token')}
                  target={titleText(token.name, 80)}
                  onConfirm={() => void revoke(token.id)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <NewToken onCreate={create} />
      {secret !== null && (
        <div className="notice" role="status" ref={element => element?.scrollIntoView({ block: 'nearest' })}>
          <p>{t('Copy this token now. You cannot see it again.')}</p>
          <p className="one-time-secret">
            <code>{secret}</code>
            <CopyButton text={secret} />
          </p>
        </div>
      )}
    </>
  )

  async function create(name: string, scope: Scope, expires: number | null) {
    await change(async () => setSecret((await createToken(name, scope, expires)).secret))
  }

  async function revoke(id: string) {
    setSecret(null)
    await change(() => revokeToken(id))
  }
}

function NewToken({ onCreate }: { onCreate: (name: string, scope: Scope, expires: number | null) => Promise<void> }) {
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Scope>('ask')
  const [days, setDays] = useState('90')
  const descriptions = {
    ask: t('ask: for agents, limited to their own requests'),
    run: t('run: for machines that run agents, limited to their own runs'),
    answer: t('answer: for people and their tools'),
    admin: t('admin: full access, including tokens'),
  }
  return (
    <form className="new-token" onSubmit={submit}>
      <label className="stacked">
        <span>{t('Name')}</span>
        <input value={name} onChange={event => setName(event.target.value)} autoComplete="off" maxLength={200} />
      </label>
      <label className="stacked">
        <span>{t('Scope')}</span>
        <select value={scope} onChange={event => setScope(event.target.value as Scope)}>
          {scopes.map(name => (
            <option key={name} value={name}>
              {descriptions[name]}
            </option>
          ))}
        </select>
      </label>
      <label className="stacked">
        <span>{t('Expires')}</span>
        <select value={days} onChange={event => setDays(event.target.value)}>
          <option value="1">{t('In 1 day')}</option>
          <option value="30">{t('In 30 days')}</option>
          <option value="90">{t('In 90 days')}</option>
          <option value="">{t('Never')}</option>
        </select>
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        {t('Create token')}
      </button>
    </form>
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    void onCreate(name.trim(), scope, days === '' ? null : Number(days) * day)
    setName('')
  }
}
