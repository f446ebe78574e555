import { forgetKept, listKept } from '../api/kept-and-rules.ts'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Ago } from '../components/time.tsx'
import { titleText, UntrustedText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { useList } from './use-list.ts'

/** The names of kept values, never the values themselves. */
export function KeptValues() {
  const { items, failure, change } = useList(listKept)
  return (
    <>
      <p className="quiet">
        {t('Beckon uses these values to answer future requests. They are sealed and never shown.')}
      </p>
      <ErrorMessage text={failure} />
      {items?.length === 0 && <p>{t('No kept values.')}</p>}
      <ul className="item-list">
        {items?.map(({ name, dependency, type, directory, user, token, by, keptAt, lastUsedAt }) => (
          <li key={name}>
            <div>
              <p>
                <b>
                  <UntrustedTitle text={name} longest={80} />
                </b>{' '}
                <span className="tag">{type}</span>
                {name !== dependency && (
                  <span className="quiet">
                    {' '}
                    <UntrustedTitle text={dependency} longest={80} />
                  </span>
                )}
              </p>
              <p className="quiet">
                {directory === null ? (
                  t('In every folder')
                ) : (
                  <code>
                    <UntrustedText text={directory} />
                  </code>
                )}
              </p>
              {token !== null && (
                <p className="quiet">
                  {t('For runs of the token:')} <UntrustedTitle text={user} longest={60} /> <code>{token}</code>
                </p>
              )}
              <p className="quiet">
                <UntrustedTitle text={by} longest={60} /> · <Ago at={keptAt} /> ·{' '}
                {lastUsedAt === null ? t('never used') : t('last used')}{' '}
                {lastUsedAt !== null && <Ago at={lastUsedAt} />}
              </p>
            </div>
            <div className="button-row">
              <ConfirmButton
                label={t('Delete…')}
                confirmLabel={t('Delete value')}
                target={titleText(name, 80)}
                onConfirm={() => void change(() => forgetKept(name))}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
