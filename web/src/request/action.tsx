import { useMemo } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { CopyButton } from '../parts/copy-button.tsx'
import { Said } from '../text/said.tsx'
import { Unbroken } from '../text/unbroken.tsx'
import { t } from '../words/words.ts'
import { commandLines, type Stretch } from './command-lines.ts'

type ActionOf = ApprovalRequest['action']

/** An action to the letter, with what is dangerous about it marked, said in words, and a safer way where there is one. */
export function Action({ action }: { action: ActionOf }) {
  const { command, cwd, severity, reasons, safer } = action
  const lines = useMemo(
    () =>
      commandLines(
        command,
        reasons.map(({ span }) => span),
      ),
    [command, reasons],
  )
  return (
    <section className={`action severity-${severity}`}>
      <p className="action-where">
        {t('It wants to run, in')}{' '}
        <code>
          <Said text={cwd} />
        </code>
      </p>
      <figure className="command">
        <pre>
          <code>
            {lines.map((line, i) => (
              <span key={`${i}`} className={line.empty > 0 ? 'empty-lines' : 'command-line'}>
                {line.empty > 0
                  ? emptyWords(line.empty)
                  : line.stretches.map((one, at) => <Part key={`${at}`} {...one} />)}
                {'\n'}
              </span>
            ))}
          </code>
        </pre>
        <CopyButton text={command} />
      </figure>
      {lines.length > 1 && <p className="quiet">{t('{count} lines in all', { count: command.split('\n').length })}</p>}
      {(reasons.length > 0 || ['high', 'critical'].includes(severity)) && (
        <div className="reasons">
          <p className="severity">{severityName(severity)}</p>
          <ul>
            {reasons.map(({ rule, message }, i) => (
              <li key={`${i}`}>
                <Said text={message} />{' '}
                <code className="rule">
                  <Said text={rule} />
                </code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {safer !== null && safer.trim() !== '' && (
        <div className="safer">
          <p className="eyebrow">{t('Safer')}</p>
          <p>
            <code>
              <Said text={safer} />
            </code>
            <CopyButton text={safer} />
          </p>
        </div>
      )}
    </section>
  )
}

function Part({ text, risky }: Stretch) {
  const words = <Unbroken text={text} />
  return risky ? <mark>{words}</mark> : words
}

function emptyWords(count: number): string {
  return count === 1 ? t('(1 empty line)') : t('({count} empty lines)', { count })
}

function severityName(severity: ActionOf['severity']): string {
  const names = {
    none: t('Danger: none'),
    low: t('Danger: low'),
    medium: t('Danger: medium'),
    high: t('Danger: high'),
    critical: t('Danger: critical'),
  }
  return names[severity]
}
