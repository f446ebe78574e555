import { forgetKept, listKept } from '../api/standing.ts'
import { SureButton } from '../parts/confirm-button.tsx'
import { Ago } from '../parts/time.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Said, SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'
import { useListed } from './use-listed.ts'

/** What answers later asks by itself; never the values. */
export function KeptValues() {
  const { items, trouble, change } = useListed(listKept)
  return (
    <>
      <p className="quiet">{t('Values that answer later asks by themselves. They are sealed, and never shown.')}</p>
      <Trouble text={trouble} />
      {items?.length === 0 && <p>{t('Nothing is kept.')}</p>}
      <ul className="listed">
        {items?.map(({ name, dependency, type, directory, by, keptAt, lastUsedAt }) => (
          <li key={name}>
            <div>
              <p>
                <b>
                  <SaidTitle text={name} longest={80} />
                </b>{' '}
                <span className="tag">{type}</span>
                {name !== dependency && (
                  <span className="quiet">
                    {' '}
                    <SaidTitle text={dependency} longest={80} />
                  </span>
                )}
              </p>
              <p className="quiet">
                {directory === null ? (
                  t('in every folder')
                ) : (
                  <code>
                    <Said text={directory} />
                  </code>
                )}
              </p>
              <p className="quiet">
                <SaidTitle text={by} longest={60} /> · <Ago at={keptAt} /> ·{' '}
                {lastUsedAt === null ? t('never used') : t('last used')}{' '}
                {lastUsedAt !== null && <Ago at={lastUsedAt} />}
              </p>
            </div>
            <div className="row-of-buttons">
              <SureButton
                label={t('Take back…')}
                sureLabel={t('Delete the value')}
                about={titleText(name, 80)}
                onSure={() => void change(() => forgetKept(name))}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
