import { describe, expect, it } from 'vitest'
import type { Condition } from '../../src/guard/rules/condition.ts'
import { domains } from '../../src/guard/rules/index.ts'
import type { GuardRule } from '../../src/guard/rules/rule.ts'

const rules = domains.flatMap(domain => domain.rules)

describe('rules as data', () => {
  it('are counted: a rule is data if no function decides about it', () => {
    const counts = domains.map(({ name, rules }) => `${name} ${rules.filter(isData).length} of ${rules.length}`)
    const data = rules.filter(isData).length
    console.log(`data: ${data} of ${rules.length} rules (${counts.join(', ')})`)
    // Raise it when rules move; a new rule is data, or says in a comment why it cannot be.
    expect(data).toBeGreaterThanOrEqual(87)
  })

  it('are all the rules of the domain that shows how, but for one that asks what the command made', () => {
    const kubernetes = domains.find(({ name }) => name === 'kubernetes')
    expect(kubernetes?.rules.filter(rule => !isData(rule)).map(({ id }) => id)).toEqual(['kubernetes/cluster'])
  })

  it('have patterns without state, which would match every other time', () => {
    const patterns = rules.flatMap(conditionsOf).flatMap(patternsOf)
    expect(patterns.length).toBeGreaterThan(20)
    expect(patterns.filter(({ global, sticky }) => global || sticky)).toEqual([])
  })

  it('name in their alternatives and rewrites only programs that they are about', () => {
    for (const rule of rules) {
      const own = [rule.program].flat()
      for (const condition of [...(rule.oneOf ?? []), ...[rule.unless ?? []].flat(), ...[rule.rewrite ?? []].flat()])
        for (const program of [condition.program ?? []].flat()) expect(own, rule.id).toContain(program)
    }
  })
})

function isData(rule: GuardRule): boolean {
  return conditionsOf(rule).every(({ when, operand }) => when === undefined && operand === undefined)
}

/** The condition and all inside it. */
function conditionsOf(condition: Condition & Pick<Partial<GuardRule>, 'rewrite'>): Condition[] {
  const inner = [...(condition.oneOf ?? []), ...[condition.unless ?? []].flat(), ...[condition.rewrite ?? []].flat()]
  return [condition, ...inner.flatMap(conditionsOf)]
}

function patternsOf({ words, notWords, option, optionMatches, operandMatches, lastOperand }: Condition): RegExp[] {
  return [words, notWords, optionMatches, operandMatches, lastOperand, ...Object.values(option ?? {})].filter(
    pattern => pattern !== undefined,
  )
}
