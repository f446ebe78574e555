import { type RefObject, useMemo } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { Command } from './command.tsx'
import { Reasons } from './reasons.tsx'

interface Props {
  action: ApprovalRequest['action']
  /** Starts an edit with the safer command; absent once the request is settled. */
  onUse?: (command: string) => void
  /** Marks the end of what the person must read. */
  end?: RefObject<HTMLDivElement | null>
}

/** The exact action, with its risks marked and explained, and a safer alternative if there is one. */
export function Action({ action, onUse, end }: Props) {
  const { command, cwd, severity, reasons, safer, starts = [], files = [] } = action
  const spans = useMemo(() => reasons.map(({ span }) => span), [reasons])
  return (
    <section className={`action severity-${severity}`}>
      <p className="action-location">
        {t('Wants to run in')}{' '}
        <code>
          <UntrustedText text={cwd} />
        </code>
      </p>
      <Command command={command} spans={spans} />
      <CodeList title={t('Unwrapped and decoded, it runs')} texts={starts} />
      <CodeList title={t('Files in this command')} texts={files} />
      <Reasons severity={severity} reasons={reasons} />
      <div ref={end} className="end-of-command" />
      {safer !== null && safer.trim() !== '' && (
        <div className="safer">
          <p className="eyebrow">{t('Safer alternative')}</p>
          <p className="safer-command">
            <code>
              <UntrustedText text={safer} />
            </code>
          </p>
          <p className="safer-buttons">
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

function CodeList({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <div className="code-list">
      <p className="eyebrow">{title}</p>
      <ul>
        {texts.map((text, i) => (
          <li key={`${i}`}>
            <code>
              <UntrustedText text={text} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}
