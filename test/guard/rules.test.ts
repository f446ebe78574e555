import { describe, expect, it } from 'vitest'
import type { ClassifyOptions } from '../../src/guard/classify.ts'
import { domains } from '../../src/guard/rules/index.ts'
import type { GuardRule } from '../../src/guard/rules/rule.ts'
import { classifyInProject, rulesOf } from './classify-in-project.ts'

describe.each(domains.filter(({ rules }) => rules.length > 0))('rules: $name', ({ rules }) => {
  for (const rule of rules) {
    it(`${rule.id} matches its examples and none of the look-alikes`, () => {
      expect(rule.match.length).toBeGreaterThan(0)
      for (const facts of factsFor(rule)) {
        for (const command of rule.match) expect(rulesOf(command, facts), command).toContain(rule.id)
        for (const command of rule.notMatch) expect(rulesOf(command, facts), command).not.toContain(rule.id)
      }
    })
    if (rule.strict || rule.git) {
      it(`${rule.id} matches nothing where the caller does not say so`, () => {
        const committed = { gitState: () => 'committed' as const }
        for (const command of [...rule.match, ...rule.notMatch]) {
          expect(rulesOf(command), command).not.toContain(rule.id)
          expect(rulesOf(command, committed), command).not.toContain(rule.id)
        }
      })
    }
    const safer = rule.safer
    if (safer !== undefined) {
      it(`${rule.id} does not match the safer command that it suggests`, () => {
        expect(rulesOf(safer), safer).not.toContain(rule.id)
      })
    }
  }
})

/** What a caller must know for the rule to match. */
function factsFor(rule: GuardRule): ClassifyOptions[] {
  const { git } = rule
  const strict = rule.strict ?? false
  return git ? git.map(state => ({ strict, gitState: () => state })) : [{ strict }]
}

it('gives every rule a unique id', () => {
  const ids = domains.flatMap(({ rules }) => rules.map(({ id }) => id))
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

it('points at the argument that makes the command dangerous', () => {
  const command = 'cd x && sudo rm -rf src / && ls'
  const [reason] = classifyInProject(command).reasons
  expect(command.slice(...(reason?.span ?? [0, 0]))).toBe('/')
})
