import type { Severity } from '../../../src/protocol/severity.ts'
import type { Reason, Verdict } from '../../../src/protocol/verdict.ts'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { useReasonTexts } from '../words/hub-texts/hub-texts.ts'
import { t } from '../words/translate.ts'
import './reasons.css'

/** The severity and the guard's reasons; nothing if there are none. */
export function Reasons({ severity, reasons }: Pick<Verdict, 'severity' | 'reasons'>) {
  if (reasons.length === 0 && !['high', 'critical'].includes(severity)) return null
  return (
    <div className={`reasons severity-${severity}`}>
      <p className="severity">{severityName(severity)}</p>
      <ul>
        {reasons.map((reason, i) => (
          <li key={`${i}`}>
            <ReasonText reason={reason} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Why a rule asks, in the reader's language, and the rule's id. */
export function ReasonText({ reason }: { reason: Reason }) {
  const translate = useReasonTexts()
  return (
    <>
      <UntrustedText text={translate(reason) ?? sentence(reason.message, reason.file)} />{' '}
      <code className="rule">
        <UntrustedText text={reason.rule} />
      </code>
    </>
  )
}

function severityName(severity: Severity): string {
  const names = {
    none: t('No known risk'),
    low: t('Low risk'),
    medium: t('Medium risk'),
    high: t('High risk'),
    critical: t('Critical risk'),
  }
  return names[severity]
}

/** The guard's messages are fragments; here each is a sentence. The name of a file stays as it is. */
function sentence(message: string, file: string | undefined): string {
  const text = message.trim()
  const first = file === undefined ? text.charAt(0).toLocaleUpperCase() : text.charAt(0)
  return `${first}${text.slice(1)}${/[.!?…。]$/.test(text) ? '' : '.'}`
}
