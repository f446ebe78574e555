import type { Rule } from '../../../src/protocol/rule.ts'
import { listRules, removeRule } from '../api/standing.ts'
import { SureButton } from '../parts/confirm-button.tsx'
import { Ago } from '../parts/time.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link, paths } from '../router.tsx'
import { Spoken } from '../text/spoken.tsx'
import { Said, SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { moment } from '../words/times.ts'
import { t } from '../words/words.ts'
import { useListed } from './use-listed.ts'

/** What people always allow, always want to be asked about, or forbid. */
export function Rules() {
  const { items, trouble, change } = useListed(listRules)
  return (
    <>
      <p className="quiet">
        {t('What people said about commands beyond the one time. The strictest that fits counts.')}
      </p>
      <Trouble text={trouble} />
      {items?.length === 0 && <p>{t('There are no rules.')}</p>}
      <ul className="listed">
        {items?.map(rule => (
          <li key={rule.id}>
            <div>
              <p>
                <span className={`tag verdict-${rule.verdict}`}>{verdictName(rule.verdict)}</span>{' '}
                <WhatOf rule={rule} />
              </p>
              {rule.note !== null && (
                <p className="quiet">
                  <SaidTitle text={rule.note} longest={300} />
                </p>
              )}
              <p className="quiet">
                <SaidTitle text={rule.by} longest={60} /> · <Ago at={rule.at} /> ·{' '}
                {rule.expiresAt === null ? t('for good') : t('until {time}', { time: moment(rule.expiresAt) })}
                {rule.request !== null && (
                  <>
                    {' '}
                    · <Link href={paths.request(rule.request)}>{t('the request')}</Link>
                  </>
                )}
              </p>
            </div>
            <div className="row-of-buttons">
              <SureButton
                label={t('Remove…')}
                sureLabel={t('Remove the rule')}
                about={titleText(commandOf(rule), 80)}
                onSure={() => void change(() => removeRule(rule.id))}
              />
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}

function WhatOf({ rule }: { rule: Rule }) {
  const command = (
    <code>
      <Said text={commandOf(rule)} />
    </code>
  )
  const place = (
    <code>
      <Said text={rule.scope === 'exact' ? rule.cwd : rule.within} />
    </code>
  )
  return rule.scope === 'exact' ? (
    <Spoken phrase="exactly {words}, in {place}" values={{ words: command, place }} />
  ) : (
    <Spoken phrase="whatever begins with {words}, in {place}" values={{ words: command, place }} />
  )
}

function commandOf(rule: Rule): string {
  return rule.scope === 'exact' ? rule.command : rule.words.join(' ')
}

function verdictName(verdict: Rule['verdict']): string {
  const names = { allow: t('Allow'), ask: t('Ask'), deny: t('Never') }
  return names[verdict]
}
