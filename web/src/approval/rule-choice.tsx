import type { ApprovalRequest, Question } from '../../../src/protocol/request.ts'
import type { RuleScope } from '../../../src/protocol/rule.ts'
import { alwaysLabels } from '../../../src/rules/questions.ts'
import { Verb } from '../bar/verb.tsx'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import './rule-choice.css'

interface Props {
  action: ApprovalRequest['action']
  options: Question['options']
  busy: boolean
  onChoose: (scope: RuleScope) => void
  onCancel: () => void
}

/** Approves and makes a rule of it: what each rule would allow. The hub decides what to offer. */
export function RuleChoice({ action, options, busy, onChoose, onCancel }: Props) {
  return (
    <section className="rule-choice" aria-label={t('Always…')}>
      {offeredRules(options).map((scope, i) => (
        <Verb
          key={scope}
          shortcut={String(i + 1)}
          busy={busy}
          onPress={() => onChoose(scope)}
          hint={scope === 'exact' ? <ExactScope cwd={action.cwd} /> : <PrefixScope action={action} />}
        >
          {scope === 'exact' ? t('Always this exact command') : <PrefixRule action={action} />}
        </Verb>
      ))}
      <p className="quiet">{t('Lasts 30 days. You can remove it in Settings → Rules.')}</p>
      <Verb look="quiet" shortcut="Escape" onPress={onCancel}>
        {t('Cancel')}
      </Verb>
    </section>
  )
}

export function hasRules(options: Question['options']): boolean {
  return offeredRules(options).length > 0
}

function offeredRules(options: Question['options']): RuleScope[] {
  return (['exact', 'prefix'] as const).filter(scope => ruleOptionIndex(options, scope) >= 0)
}

export function ruleOptionIndex(options: Question['options'], scope: RuleScope): number {
  return options.findIndex(({ label }) => label === alwaysLabels[scope])
}

function ExactScope({ cwd }: { cwd: string }) {
  return (
    <FormattedPhrase
      phrase="in {directory}, while its files are unchanged"
      values={{ directory: <InlineCode text={cwd} /> }}
    />
  )
}

function PrefixRule({ action }: { action: ApprovalRequest['action'] }) {
  const command = action.always?.prefix?.words.join(' ') ?? ''
  return (
    <FormattedPhrase
      phrase="Always commands that start with {command}"
      values={{ command: <InlineCode text={command} /> }}
    />
  )
}

function PrefixScope({ action }: { action: ApprovalRequest['action'] }) {
  const directory = action.always?.prefix?.within ?? ''
  return <FormattedPhrase phrase="anywhere in {directory}" values={{ directory: <InlineCode text={directory} /> }} />
}

function InlineCode({ text }: { text: string }) {
  return (
    <code>
      <UntrustedText text={text} />
    </code>
  )
}
