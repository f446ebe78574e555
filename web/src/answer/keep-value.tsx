import type { Keep } from '../../../src/protocol/kept.ts'
import { t } from '../words/translate.ts'
import './keep-value.css'

interface Props {
  keep: Keep | null
  onChange: (keep: Keep | null) => void
}

/** Whether Beckon also uses the value for future requests, and in which folders. */
export function KeepValue({ keep, onChange }: Props) {
  return (
    <div className="keep-value">
      <label className="check">
        <input
          type="checkbox"
          checked={keep !== null}
          onChange={event => onChange(event.target.checked ? { everywhere: false } : null)}
        />
        <span>{t('Keep this value for future requests')}</span>
      </label>
      {keep && (
        <>
          <select
            aria-label={t('Where it applies')}
            value={keep.everywhere ? 'everywhere' : 'here'}
            onChange={event => onChange({ everywhere: event.target.value === 'everywhere' })}
          >
            <option value="here">{t('In the same folder')}</option>
            <option value="everywhere">{t('In every folder')}</option>
          </select>
          <p className="quiet">
            {t('Beckon provides it without asking again. You can delete it in Settings → Kept values.')}
          </p>
        </>
      )}
    </div>
  )
}
