import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limits } from '../../src/protocol/index.ts'
import { defaultPolicy, nextReminder } from '../../src/rules/deadlines.ts'

describe('the deadline', () => {
  it.each([
    ['question', true, true, 'remind'],
    ['question', true, false, 'remind'],
    ['question', false, true, 'default'],
    ['question', false, false, 'fail'],
    ['dependency', true, false, 'fail'],
    ['dependency', false, false, 'fail'],
    ['approval', true, false, 'fail'],
    ['review', true, false, 'remind'],
  ] as const)('of a %s (required %s, default %s) has the policy %s by default', (kind, required, defaults, policy) => {
    expect(defaultPolicy(kind, required, defaults)).toBe(policy)
  })

  it('reminds at the next doubling of the timeout, or never if that is too far away', () => {
    const time = fc.integer({ min: 0, max: 4_102_444_800_000 })
    fc.assert(
      fc.property(
        time,
        fc.integer({ min: 1, max: limits.timeout }),
        fc.integer({ min: 0, max: 1e12 }),
        (asked, timeout, later) => {
          const next = nextReminder(asked, timeout, asked + later)
          if (next === null) {
            expect(later * 2).toBeGreaterThan(limits.timeout / 2)
            return
          }
          expect(next).toBeGreaterThan(asked + later)
          expect(Number.isInteger(Math.log2((next - asked) / timeout))).toBe(true)
          const before = (next - asked) / 2
          expect(before === timeout / 2 || before <= later).toBe(true)
        },
      ),
    )
  })
})
