import type { Keep } from '../../../src/protocol/kept.ts'
import { t } from '../words/words.ts'

interface Props {
  keep: Keep | null
  onChange: (keep: Keep | null) => void
}

/** Whether the value also answers later asks like this one, and where. */
export function Keeping({ keep, onChange }: Props) {
  return (
    <div className="keeping">
      <label className="check">
        <input
          type="checkbox"
          checked={keep !== null}
          onChange={event => onChange(event.target.checked ? { everywhere: false } : null)}
        />
        <span>{t('Keep it for later asks like this one')}</span>
      </label>
      {keep && (
        <>
          <select
            aria-label={t('Where it is kept for')}
            value={keep.everywhere ? 'everywhere' : 'here'}
            onChange={event => onChange({ everywhere: event.target.value === 'everywhere' })}
          >
            <option value="here">{t('in the same folder')}</option>
            <option value="everywhere">{t('in every folder')}</option>
          </select>
          <p className="quiet">{t('Nobody is asked for it again. Settings → Kept values takes it back.')}</p>
        </>
      )}
    </div>
  )
}
