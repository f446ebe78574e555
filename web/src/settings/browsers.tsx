import { endOtherSessions, endSession, listSessions, type SignedIn } from '../api/session.ts'
import { SureButton } from '../parts/confirm-button.tsx'
import { Ago } from '../parts/time.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'
import { useListed } from './use-listed.ts'

/** Every browser that is signed in: a phone that was lost is signed out from here. */
export function Browsers({ user }: { user: string }) {
  const { items, trouble, change } = useListed(listSessions)
  const others = items?.filter(session => session.user === user && !session.current) ?? []
  return (
    <>
      <Trouble text={trouble} />
      <ul className="listed">
        {items
          ?.toSorted((a, b) => Number(b.current) - Number(a.current))
          .map(session => (
            <li key={session.id}>
              <div>
                <p>
                  <b>
                    <SaidTitle text={nameOf(session)} longest={80} />
                  </b>{' '}
                  {session.current && <span className="tag">{t('this one')}</span>}
                </p>
                <p className="quiet">
                  {session.user !== user && (
                    <>
                      <SaidTitle text={session.user} longest={60} /> ·{' '}
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
                <div className="row-of-buttons">
                  <SureButton
                    label={t('Sign out…')}
                    sureLabel={t('Sign it out')}
                    about={titleText(nameOf(session), 80)}
                    onSure={() => void change(() => endSession(session.id))}
                  />
                </div>
              )}
            </li>
          ))}
      </ul>
      {others.length > 1 && (
        <div className="row-of-buttons">
          <SureButton
            label={t('Sign out all others…')}
            sureLabel={t('Sign them out')}
            onSure={() => void change(endOtherSessions)}
          />
        </div>
      )}
    </>
  )
}

function nameOf({ device }: SignedIn): string {
  return device ?? t('A browser')
}
