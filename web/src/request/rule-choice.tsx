import { useId } from 'react'
import type { ApprovalRequest, Question } from '../../../src/protocol/request.ts'
import type { RuleScope } from '../../../src/protocol/rule.ts'
import { alwaysLabels } from '../../../src/rules/questions.ts'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'

export type ApprovalScope = 'once' | RuleScope

interface Props {
  action: ApprovalRequest['action']
  options: Question['options']
  chosen: ApprovalScope
  onChoose: (scope: ApprovalScope) => void
}

/** Whether an approval is for once or becomes a rule, and what that rule would allow. The hub decides what to offer. */
export function RuleChoice({ action, options, chosen, onChoose }: Props) {
  const name = useId()
  const offered = (['exact', 'prefix'] as const).filter(scope => ruleOptionIndex(options, scope) >= 0)
  if (offered.length === 0) return null
  return (
    <fieldset className="rule-choice">
      <legend>{t('Allow this command')}</legend>
      <div className="option-list">
        {(['once', ...offered] as const).map(scope => (
          <label key={scope} className="option slim">
            <input type="radio" name={name} checked={chosen === scope} onChange={() => onChoose(scope)} />
            <span className="option-text">
              {scope === 'exact' ? (
                <ExactRule cwd={action.cwd} />
              ) : scope === 'prefix' ? (
                <PrefixRule action={action} />
              ) : (
                <span className="option-label">{t('Once')}</span>
              )}
            </span>
          </label>
        ))}
      </div>
      {chosen !== 'once' && <p className="quiet">{t('Lasts 30 days. You can remove it in Settings → Rules.')}</p>}
    </fieldset>
  )
}

export function ruleOptionIndex(options: Question['options'], scope: RuleScope): number {
  return options.findIndex(({ label }) => label === alwaysLabels[scope])
}

function ExactRule({ cwd }: { cwd: string }) {
  return (
    <>
      <span className="option-label">{t('Always this exact command')}</span>{' '}
      <span className="option-description">
        <FormattedPhrase
          phrase="in {directory}, while its files are unchanged"
          values={{ directory: <InlineCode text={cwd} /> }}
        />
      </span>
    </>
  )
}

function PrefixRule({ action }: { action: ApprovalRequest['action'] }) {
  const { words = [], within = '' } = action.always?.prefix ?? {}
  return (
    <>
      <span className="option-label">
        <FormattedPhrase
          phrase="Always commands that start with {command}"
          values={{ command: <InlineCode text={words.join(' ')} /> }}
        />
      </span>{' '}
      <span className="option-description">
        <FormattedPhrase phrase="anywhere in {directory}" values={{ directory: <InlineCode text={within} /> }} />
      </span>
    </>
  )
}

function InlineCode({ text }: { text: string }) {
  return (
    <code>
      <UntrustedText text={text} />
    </code>
  )
}
