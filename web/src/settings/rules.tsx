import type { AnswerRule, CommandRule, Rule } from '../../../src/protocol/rule.ts'
import { listRules, removeRule } from '../api/kept-and-rules.ts'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Ago } from '../components/time.tsx'
import { paths } from '../route.ts'
import { Link } from '../router.tsx'
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
        {t('Standing decisions about commands. When several rules match, the strictest one applies.')}{' '}
        {t('A rule that answers applies to the same question of the same agent, in the same directory.')}
      </p>
      <ErrorMessage text={failure} />
      {items?.length === 0 && <p>{t('No rules yet.')}</p>}
      <ul className="item-list">
        {items?.map(rule => (
          <li key={rule.id}>
            <div>
              <p>
                <RuleVerdict rule={rule} /> <RuleDescription rule={rule} />
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
                target={titleText(rule.scope === 'answer' ? rule.question : ruleCommand(rule), 80)}
                onConfirm={() => void change(() => removeRule(rule.id))}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function RuleVerdict({ rule }: { rule: Rule }) {
  if (rule.scope === 'answer') return <span className="tag">{t('Answer')}</span>
  return <span className={`tag verdict-${rule.verdict}`}>{verdictName(rule.verdict)}</span>
}

function RuleDescription({ rule }: { rule: Rule }) {
  return rule.scope === 'answer' ? <AnswerDescription rule={rule} /> : <CommandDescription rule={rule} />
}

function AnswerDescription({ rule }: { rule: AnswerRule }) {
  const given = rule.answers.map(({ selected, text }) => [...selected, ...(text === null ? [] : [text])].join(', '))
  const values = {
    answer: <UntrustedTitle text={given.join('; ')} longest={200} />,
    question: <UntrustedTitle text={rule.question} longest={200} />,
    agent: <UntrustedTitle text={rule.agent} longest={60} />,
    directory: (
      <code>
        <UntrustedText text={rule.cwd} />
      </code>
    ),
  }
  return <FormattedPhrase phrase="“{answer}” to “{question}” of {agent}, in {directory}" values={values} />
}

function CommandDescription({ rule }: { rule: CommandRule }) {
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

function ruleCommand(rule: CommandRule): string {
  return rule.scope === 'exact' ? rule.command : rule.words.join(' ')
}

function verdictName(verdict: CommandRule['verdict']): string {
  const names = { allow: t('Allow'), ask: t('Ask'), deny: t('Deny') }
  return names[verdict]
}
