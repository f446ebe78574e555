import type { Rule } from '../../../src/protocol/rule.ts'
import { listRules, removeRule } from '../api/kept-and-rules.ts'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Ago } from '../components/time.tsx'
import { Link, paths } from '../router.tsx'
import { FormattedPhrase } from '../text/formatted-phrase.tsx'
import { titleText, UntrustedText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { moment } from '../words/times.ts'
import { t } from '../words/translate.ts'
import { useList } from './use-list.ts'

/** The commands that people always allow, always want to see, or never allow. */
export function Rules() {
  const { items, failure, change } = useList(listRules)
  return (
    <>
      <p className="quiet">
        {t('Standing decisions about commands. When several rules match, the strictest one applies.')}
      </p>
      <ErrorMessage text={failure} />
      {items?.length === 0 && <p>{t('No rules yet.')}</p>}
      <ul className="item-list">
        {items?.map(rule => (
          <li key={rule.id}>
            <div>
              <p>
                <span className={`tag verdict-${rule.verdict}`}>{verdictName(rule.verdict)}</span>{' '}
                <RuleDescription rule={rule} />
              </p>
              {rule.note !== null && (
                <p className="quiet">
                  <UntrustedTitle text={rule.note} longest={300} />
                </p>
              )}
              <p className="quiet">
                <UntrustedTitle text={rule.by} longest={60} /> · <Ago at={rule.at} /> ·{' '}
                {rule.expiresAt === null ? t('no expiry') : t('until {time}', { time: moment(rule.expiresAt) })}
                {rule.request !== null && (
                  <>
                    {' '}
                    · <Link href={paths.request(rule.request)}>{t('view request')}</Link>
                  </>
                )}
              </p>
            </div>
            <div className="button-row">
              <ConfirmButton
                label={t('Remove…')}
                confirmLabel={t('Remove rule')}
                target={titleText(ruleCommand(rule), 80)}
                onConfirm={() => void change(() => removeRule(rule.id))}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function RuleDescription({ rule }: { rule: Rule }) {
  const command = (
    <code>
      <UntrustedText text={ruleCommand(rule)} />
    </code>
  )
  const directory = (
    <code>
      <UntrustedText text={rule.scope === 'exact' ? rule.cwd : rule.within} />
    </code>
  )
  return rule.scope === 'exact' ? (
    <FormattedPhrase phrase="exactly {command}, in {directory}" values={{ command, directory }} />
  ) : (
    <FormattedPhrase phrase="anything that starts with {command}, in {directory}" values={{ command, directory }} />
  )
}

function ruleCommand(rule: Rule): string {
  return rule.scope === 'exact' ? rule.command : rule.words.join(' ')
}

function verdictName(verdict: Rule['verdict']): string {
  const names = { allow: t('Allow'), ask: t('Ask'), deny: t('Deny') }
  return names[verdict]
}
