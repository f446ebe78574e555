import type { Severity, Verdict } from '../../../src/protocol/verdict.ts'
import { Said } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'

/** How dangerous it is, and why, in words. Nothing where there is nothing to say. */
export function Reasons({ severity, reasons }: Pick<Verdict, 'severity' | 'reasons'>) {
  if (reasons.length === 0 && !['high', 'critical'].includes(severity)) return null
  return (
    <div className={`reasons severity-${severity}`}>
      <p className="severity">{severityName(severity)}</p>
      <ul>
        {reasons.map(({ rule, message }, i) => (
          <li key={`${i}`}>
            <Said text={sentence(message)} />{' '}
            <code className="rule">
              <Said text={rule} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function severityName(severity: Severity): string {
  const names = {
    none: t('Danger: none'),
    low: t('Danger: low'),
    medium: t('Danger: medium'),
    high: t('Danger: high'),
    critical: t('Danger: critical'),
  }
  return names[severity]
}

/** The guard speaks in lists; here it stands alone. */
function sentence(message: string): string {
  const words = message.trim()
  const first = words.charAt(0).toLocaleUpperCase()
  return `${first}${words.slice(1)}${/[.!?…。]$/.test(words) ? '' : '.'}`
}
