import { useMemo } from 'react'
import { GrowingText } from '../parts/growing-text.tsx'
import { t, told } from '../words/words.ts'
import { Command } from './command.tsx'
import { Reasons } from './reasons.tsx'
import type { Judged } from './use-verdict.ts'

interface Props {
  value: string
  judged: Judged
  onChange: (command: string) => void
  onPutBack: () => void
}

/** A person's own version of the command, and what the guard says to it while it is written. */
export function EditCommand({ value, judged, onChange, onPutBack }: Props) {
  return (
    <section className="edit-command">
      <GrowingText labelled mono label={t('What runs instead')} value={value} rows={2} focus onChange={onChange} />
      <div aria-live="polite">
        <Finding value={value} judged={judged} />
      </div>
      <button type="button" className="quiet-button" onClick={onPutBack}>
        {t('Back to what was proposed')}
      </button>
    </section>
  )
}

function Finding({ value, judged }: Pick<Props, 'value' | 'judged'>) {
  switch (judged.state) {
    case 'none':
      return <p className="quiet">{value.trim() === '' ? t('Write a command.') : t('This is what was proposed.')}</p>
    case 'judging':
      return <p className="quiet">{t('The guard looks at it…')}</p>
    case 'failed':
      return <p className="problem">{told(judged.why)}</p>
    case 'judged': {
      const { verdict } = judged
      if (verdict.verdict === 'allow')
        return <p className="quiet good-words">{t('The guard has nothing against it.')}</p>
      return (
        <>
          {verdict.verdict === 'deny' && <p className="problem">{t('This is never run, whoever approves it.')}</p>}
          <Marked value={value} spans={verdict.reasons} />
          <Reasons severity={verdict.severity} reasons={verdict.reasons} />
        </>
      )
    }
  }
}

function Marked({ value, spans }: { value: string; spans: readonly { span: readonly [number, number] }[] }) {
  const places = useMemo(() => spans.map(({ span }) => span), [spans])
  return <Command command={value} spans={places} />
}
