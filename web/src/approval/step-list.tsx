import { useEffect, useState } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import type { Explanation, Step } from '../../../src/protocol/verdict.ts'
import { editableText, readEdit } from '../../../src/rules/action-text.ts'
import { quoteWords } from '../../../src/text/quote-words.ts'
import { judge } from '../api/requests.ts'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import { ReasonText } from './reasons.tsx'
import './step-list.css'

type Props = Pick<ApprovalRequest, 'id' | 'action'>

/** Each program that the command would start, where, and which rule said what. */
export function StepList({ id, action }: Props) {
  const [told, setTold] = useState<Pick<Explanation, 'steps' | 'omitted'> | string | null>(null)
  const command = JSON.stringify(readEdit(action, editableText(action)))
  useEffect(() => {
    const stopped = new AbortController()
    judge(id, JSON.parse(command), stopped.signal).then(setTold, error => {
      if (!stopped.signal.aborted) setTold(errorText(error))
    })
    return () => stopped.abort()
  }, [id, command])
  if (told === null) return <p className="quiet">{t('Checking the command…')}</p>
  if (typeof told === 'string') return <p className="problem">{told}</p>
  return (
    <>
      <ol>
        {told.steps.map((step, i) => (
          <StepItem key={`${i}`} step={step} />
        ))}
      </ol>
      {told.omitted > 0 && <p className="quiet">{t('and {count} more', { count: told.omitted })}</p>}
    </>
  )
}

function StepItem({ step }: { step: Step }) {
  const { reasons, severity } = step
  return (
    <li className={`step severity-${severity}`}>
      <code>
        <UntrustedText text={commandOf(step)} />
      </code>
      <p className="quiet">
        <UntrustedText text={placeOf(step)} />
      </p>
      {reasons.map((reason, i) => (
        <p key={`${i}`} className="step-reason">
          <ReasonText reason={reason} />
        </p>
      ))}
    </li>
  )
}

/** A redirect is shown as it is written. */
function commandOf({ argv: [program = '', ...args] }: Step): string {
  return /^(<|>|>>)$/.test(program) ? `${program} ${quoteWords(args)}` : quoteWords([program, ...args])
}

function placeOf({ cwd, via, root, remote }: Step): string {
  const where =
    cwd !== null
      ? t('in {folder}', { folder: cwd })
      : remote
        ? t('on another machine or in a container')
        : t('in a folder that is known only at run time')
  const inside = via.length > 0 ? [t('inside {programs}', { programs: via.join(' › ') })] : []
  return [where, ...inside, ...(root ? [t('as root')] : [])].join(' · ')
}
