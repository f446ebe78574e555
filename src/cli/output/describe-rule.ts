import type { AnswerRule, Rule, RuleInput, RuleScope } from '../../protocol/rule.ts'
import { harmlessTitle } from '../../text/harmless.ts'

type DescribedRule = Pick<RuleInput, 'verdict'> &
  ({ scope: 'exact'; command: string; cwd: string } | { scope: 'prefix'; words: string[]; within: string })

/** What it does, and where. */
export function describeRule(rule: DescribedRule | AnswerRule): string {
  if (rule.scope === 'answer') return describeAnswer(rule)
  const scopes: Record<RuleScope, string> = { exact: 'exactly', prefix: 'what begins with' }
  const [what, where] = rule.scope === 'exact' ? [rule.command, rule.cwd] : [rule.words.join(' '), rule.within]
  return `${rule.verdict} ${scopes[rule.scope]} "${harmlessTitle(what)}" in ${harmlessTitle(where)}`
}

/** Whose asks it answers is a part of it: the same question of somebody else is asked as before. */
function describeAnswer({ question, answers, agent, cwd, user, token }: AnswerRule): string {
  const given = answers
    .map(({ selected, text }) => [...selected, ...(text === null ? [] : [text])].join(', '))
    .join('; ')
  const asker = token === null ? harmlessTitle(user) : `the token ${token}`
  const where = `of ${harmlessTitle(agent)} (${asker}) in ${harmlessTitle(cwd)}`
  return `answer "${harmlessTitle(given)}" to "${harmlessTitle(question)}" ${where}`
}

/** With who made it, since when and until when. */
export function formatRule(rule: Rule): string {
  const { id, by, at, expiresAt, removedAt, removedBy, note } = rule
  const end = removedAt
    ? `removed by ${harmlessTitle(removedBy ?? '')} ${removedAt}`
    : expiresAt
      ? `until ${expiresAt}`
      : 'no expiry'
  const why = note ? `: ${harmlessTitle(note)}` : ''
  return `${id}  ${describeRule(rule)}, by ${harmlessTitle(by)} ${at}, ${end}${why}`
}
