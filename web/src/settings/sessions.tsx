import { endOtherSessions, endSession, listSessions, type SignedIn } from '../api/session.ts'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Ago } from '../components/time.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { useList } from './use-list.ts'

/** Every signed-in browser. A lost phone is signed out here. */
export function Sessions({ user }: { user: string }) {
  const { items, failure, change } = useList(listSessions)
  const others = items?.filter(session => session.user === user && !session.current) ?? []
  return (
    <>
      <ErrorMessage text={failure} />
      <ul className="item-list">
        {items
          ?.toSorted((a, b) => Number(b.current) - Number(a.current))
          .map(session => (
            <li key={session.id}>
              <div>
                <p>
                  <b>
                    <UntrustedTitle text={deviceName(session)} longest={80} />
                  </b>{' '}
                  {session.current && <span className="tag">{t('this browser')}</span>}
                </p>
                <p className="quiet">
                  {session.user !== user && (
                    <>
                      <UntrustedTitle text={session.user} longest={60} /> ·{' '}
                    </>
                  )}
                  {t('signed in')} <Ago at={session.createdAt} />
                  {session.lastUsedAt !== null && (
                    <>
                      {' '}
                      · {t('last used')} <Ago at={session.lastUsedAt} />
                    </>
                  )}
                </p>
              </div>
              {!session.current && (
                <div className="button-row">
                  <ConfirmButton
                    label={t('Sign out…')}
                    confirmLabel={t('Sign out browser')}
                    target={titleText(deviceName(session), 80)}
                    onConfirm={() => void change(() => endSession(session.id))}
                  />
                </div>
              )}
            </li>
          ))}
      </ul>
      {others.length > 1 && (
        <div className="button-row">
          <ConfirmButton
            label={t('Sign out all others…')}
            confirmLabel={t('Sign out all others')}
            onConfirm={() => void change(endOtherSessions)}
          />
        </div>
      )}
    </>
  )
}

function deviceName({ device }: SignedIn): string {
  return device ?? t('Unknown browser')
}
