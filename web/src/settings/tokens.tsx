import { type FormEvent, useState } from 'react'
import { createToken, listTokens, revokeToken, type Scope, scopes } from '../api/tokens.ts'
import { SureButton } from '../parts/confirm-button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Ago } from '../parts/time.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { moment } from '../words/times.ts'
import { t } from '../words/words.ts'
import { useListed } from './use-listed.ts'

const day = 86_400_000

/** Who may ask and who may answer over HTTP. */
export function Tokens() {
  const [secret, setSecret] = useState<string | null>(null)
  const { items: tokens, trouble, change } = useListed(listTokens)
  const living = (tokens ?? []).filter(({ revokedAt }) => revokedAt === null)

  return (
    <>
      <Trouble text={trouble} />
      {living.length > 0 && (
        <ul className="listed">
          {living.map(token => (
            <li key={token.id}>
              <div>
                <p>
                  <b>
                    <SaidTitle text={token.name} longest={80} />
                  </b>{' '}
                  <span className="tag">{token.scope}</span>
                </p>
                <p className="quiet">
                  {token.lastUsedAt === null ? t('never used') : t('last used')}{' '}
                  {token.lastUsedAt !== null && <Ago at={token.lastUsedAt} />}
                  {token.expiresAt !== null && ` · ${t('until {time}', { time: moment(token.expiresAt) })}`}
                </p>
              </div>
              <div className="row-of-buttons">
                <SureButton
                  label={t('Revoke…')}
                  sureLabel={t('Revoke it')}
                  about={titleText(token.name, 80)}
                  onSure={() => void revoke(token.id)}
                />
              </div>
            </li>
          ))}
        </ul>
      )}
      <NewToken onCreate={create} />
      {secret !== null && (
        <div className="notice" role="status" ref={element => element?.scrollIntoView({ block: 'nearest' })}>
          <p>{t('This is the only time it is shown:')}</p>
          <p className="secret-once">
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
  const meanings = {
    ask: t('ask: for agents; asks, and sees its own requests only'),
    run: t('run: for machines that run agents; starts runs, and sees its own only'),
    answer: t('answer: for people and their programs'),
    admin: t('admin: also makes tokens'),
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
          {scopes.map(one => (
            <option key={one} value={one}>
              {meanings[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="stacked">
        <span>{t('Expires')}</span>
        <select value={days} onChange={event => setDays(event.target.value)}>
          <option value="1">{t('after a day')}</option>
          <option value="30">{t('after 30 days')}</option>
          <option value="90">{t('after 90 days')}</option>
          <option value="">{t('never')}</option>
        </select>
      </label>
      <button type="submit" disabled={name.trim() === ''}>
        {t('Create a token')}
      </button>
    </form>
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    void onCreate(name.trim(), scope, days === '' ? null : Number(days) * day)
    setName('')
  }
}
