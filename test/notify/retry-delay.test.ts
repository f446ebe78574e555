import fc from 'fast-check'
import { expect, it } from 'vitest'
import { retryDelay } from '../../src/notify/retry-delay.ts'

it('doubles the delay each time, from a second to ten minutes', () => {
  const delays = Array.from({ length: 14 }, (_, i) => retryDelay({ tries: i + 1, age: 0, random: () => 0.5 }))
  expect(delays.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000])
  expect(delays.slice(10)).toEqual([600_000, 600_000, 600_000, 600_000])
})

it('adds jitter to the delay within its limits', () => {
  const failure = fc.record({
    tries: fc.integer({ min: 1, max: 10_000 }),
    age: fc.integer({ min: 0, max: 86_399_999 }),
    retryAfter: fc.option(fc.integer({ min: 0, max: 1e9 })),
  })
  fc.assert(
    fc.property(failure, fc.double({ min: 0, max: 0.999, noNaN: true }), (given, chance) => {
      const delay = retryDelay({ ...given, random: () => chance }) as number
      return delay >= 750 && delay <= 600_000
    }),
  )
  expect(retryDelay({ tries: 3, age: 0, random: () => 0 })).not.toBe(
    retryDelay({ tries: 3, age: 0, random: () => 0.9 }),
  )
})

it('waits as long as the target asks, and gives up after a day', () => {
  expect(retryDelay({ tries: 1, age: 0, retryAfter: 30_000, random: () => 0.5 })).toBe(30_000)
  expect(retryDelay({ tries: 90, age: 86_400_000 })).toBeNull()
})
