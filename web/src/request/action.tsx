import { type RefObject, useMemo } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Said } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'
import { Command } from './command.tsx'
import { Reasons } from './reasons.tsx'

interface Props {
  action: ApprovalRequest['action']
  /** Where it can still be changed: takes the safer way up. */
  onUse?: (command: string) => void
  /** Stands where all that must be read has been. */
  end?: RefObject<HTMLDivElement | null>
}

/** An action to the letter, with what is dangerous about it marked, said in words, and a safer way where there is one. */
export function Action({ action, onUse, end }: Props) {
  const { command, cwd, severity, reasons, safer, starts = [], files = [] } = action
  const spans = useMemo(() => reasons.map(({ span }) => span), [reasons])
  return (
    <section className={`action severity-${severity}`}>
      <p className="action-where">
        {t('It wants to run, in')}{' '}
        <code>
          <Said text={cwd} />
        </code>
      </p>
      <Command command={command} spans={spans} />
      <Texts title={t('Unwrapped and decoded, it starts')} texts={starts} />
      <Texts title={t('Files that it names')} texts={files} />
      <Reasons severity={severity} reasons={reasons} />
      <div ref={end} className="end-of-command" />
      {safer !== null && safer.trim() !== '' && (
        <div className="safer">
          <p className="eyebrow">{t('Safer')}</p>
          <p className="safer-command">
            <code>
              <Said text={safer} />
            </code>
          </p>
          <p className="safer-tools">
            {onUse && (
              <button type="button" className="copy" onClick={() => onUse(safer)}>
                {t('Use this instead…')}
              </button>
            )}
            <CopyButton text={safer} />
          </p>
        </div>
      )}
    </section>
  )
}

function Texts({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div className="action-texts">
      <p className="eyebrow">{title}</p>
      <ul>
        {texts.map((text, i) => (
          <li key={`${i}`}>
            <code>
              <Said text={text} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
