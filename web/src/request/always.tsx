import { useId } from 'react'
import type { ApprovalRequest, Question } from '../../../src/protocol/request.ts'
import type { RuleScope } from '../../../src/protocol/rule.ts'
import { alwaysLabels } from '../../../src/rules/questions.ts'
import { Spoken } from '../text/spoken.tsx'
import { Said } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'

export type HowOften = 'once' | RuleScope

interface Props {
  action: ApprovalRequest['action']
  options: Question['options']
  chosen: HowOften
  onChoose: (often: HowOften) => void
}

/** Whether a yes is for once or becomes a rule, and what that rule would allow. Only what the hub offers is there. */
export function Always({ action, options, chosen, onChoose }: Props) {
  const name = useId()
  const offered = (['exact', 'prefix'] as const).filter(scope => positionOf(options, scope) >= 0)
  if (offered.length === 0) return null
  return (
    <fieldset className="always">
      <legend>{t('A yes is')}</legend>
      <div className="option-list">
        {(['once', ...offered] as const).map(often => (
          <label key={often} className="option slim">
            <input type="radio" name={name} checked={chosen === often} onChange={() => onChoose(often)} />
            <span className="option-text">
              {often === 'exact' ? (
                <Exactly cwd={action.cwd} />
              ) : often === 'prefix' ? (
                <Alike action={action} />
              ) : (
                <span className="option-label">{t('for this once')}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {chosen !== 'once' && <p className="quiet">{t('It counts for 30 days. Settings → Rules takes it back.')}</p>}
    </fieldset>
  )
}

export function positionOf(options: Question['options'], scope: RuleScope): number {
  return options.findIndex(({ label }) => label === alwaysLabels[scope])
}

function Exactly({ cwd }: { cwd: string }) {
  return (
    <>
      <span className="option-label">{t('always exactly this')}</span>{' '}
      <span className="option-description">
        <Spoken phrase="in {place}, with its files as they are" values={{ place: <Name text={cwd} /> }} />
      </span>
    </>
  )
}

function Alike({ action }: { action: ApprovalRequest['action'] }) {
  const { words = [], within = '' } = action.always?.prefix ?? {}
  return (
    <>
      <span className="option-label">
        <Spoken phrase="always what begins with {words}" values={{ words: <Name text={words.join(' ')} /> }} />
      </span>{' '}
      <span className="option-description">
        <Spoken phrase="anywhere in {place}" values={{ place: <Name text={within} /> }} />
      </span>
    </>
  )
}

function Name({ text }: { text: string }) {
  return (
    <code>
      <Said text={text} />
    </code>
  )
}
