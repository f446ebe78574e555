import { describe, expect, it } from 'vitest'
import { domains } from '../../src/guard/rules/index.ts'
import { classifyInProject, rulesOf } from './classify-in-project.ts'

describe.each(domains.filter(({ rules }) => rules.length > 0))('rules: $name', ({ rules }) => {
  for (const rule of rules) {
    it(`${rule.id} matches its examples and none of the look-alikes`, () => {
      expect(rule.match.length).toBeGreaterThan(0)
      for (const command of rule.match) expect(rulesOf(command), command).toContain(rule.id)
      for (const command of rule.notMatch) expect(rulesOf(command), command).not.toContain(rule.id)
    })
    const safer = rule.safer
    if (safer !== undefined) {
      it(`${rule.id} does not match the safer command that it suggests`, () => {
        expect(rulesOf(safer), safer).not.toContain(rule.id)
      })
    }
  }
})

it('gives every rule a unique id', () => {
  const ids = domains.flatMap(({ rules }) => rules.map(({ id }) => id))
  expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
})

it('points at the argument that makes the command dangerous', () => {
  const command = 'cd x && sudo rm -rf src / && ls'
  const [reason] = classifyInProject(command).reasons
  expect(command.slice(...(reason?.span ?? [0, 0]))).toBe('/')
})
