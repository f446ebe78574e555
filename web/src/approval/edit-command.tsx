import { useMemo } from 'react'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { t } from '../words/translate.ts'
import { Command } from './command.tsx'
import { Reasons } from './reasons.tsx'
import type { VerdictState } from './use-verdict.ts'
import './edit-command.css'

interface Props {
  value: string
  check: VerdictState
  /** It is not JSON, as the input of a tool must be. */
  broken: boolean
  onChange: (command: string) => void
  onRestore: () => void
}

/** The person's own version of the command, and the guard's verdict on it as they type. */
export function EditCommand({ value, check, broken, onChange, onRestore }: Props) {
  return (
    <section className="edit-command">
      <AutoSizeTextarea
        labelled
        mono
        label={t('Command to run instead')}
        value={value}
        rows={2}
        focus
        onChange={onChange}
      />
      <div aria-live="polite">
        {broken ? (
          <p className="problem">{t('This is not valid JSON.')}</p>
        ) : (
          <CheckResult value={value} check={check} />
        )}
      </div>
      <button type="button" className="quiet-button" onClick={onRestore}>
        {t('Restore the original command')}
      </button>
    </section>
  )
}

function CheckResult({ value, check }: Pick<Props, 'value' | 'check'>) {
  switch (check.state) {
    case 'none':
      return <p className="quiet">{value.trim() === '' ? t('Enter a command.') : t('Same as the original command.')}</p>
    case 'checking':
      return <p className="quiet">{t('Checking the command…')}</p>
    case 'failed':
      return <p className="problem">{check.why}</p>
    case 'checked': {
      const { verdict } = check
      if (verdict.verdict === 'allow') return <p className="quiet ok-text">{t('The guard allows this command.')}</p>
      return (
        <>
          {verdict.verdict === 'deny' && <p className="problem">{t('This command never runs, even with approval.')}</p>}
          <MarkedCommand value={value} spans={verdict.reasons} />
          <Reasons severity={verdict.severity} reasons={verdict.reasons} />
        </>
      )
    }
  }
}

function MarkedCommand({ value, spans }: { value: string; spans: readonly { span: readonly [number, number] }[] }) {
  const ranges = useMemo(() => spans.map(({ span }) => span), [spans])
  return <Command command={value} spans={ranges} />
}
