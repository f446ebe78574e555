import { expect, it } from 'vitest'
import { growthOver } from './growth.ts'

it('keeps no more of a stream of 64 MB in memory than the limits allow', () => {
  growthOver(12)
  const { bytes, items } = growthOver(64)
  expect(items).toBeGreaterThan(1_000)
  // A block and a line of an event, each with the room that it doubled into; an event may have 16 MB, here it has one.
  expect(bytes).toBeLessThan(12_000_000)
})
