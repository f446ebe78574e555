import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BufferedOutput } from '../../src/supervisor/holder/buffered-output.ts'

const kibibyte = 1_024
const period = 251
const pattern = Buffer.from(Uint8Array.from({ length: 1_024 * kibibyte }, (_, i) => i % period))

it('keeps every byte that is not released, whatever is released and added meanwhile', () => {
  const step = fc.record({
    size: fc.oneof(fc.nat(5_000), fc.integer({ min: 0, max: 700 * kibibyte })),
    stream: fc.constantFrom('out', 'err'),
    released: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), steps => {
      const buffered = new BufferedOutput(kibibyte)
      for (const { size, stream, released } of steps) {
        buffered.add(stream, bytesFrom(buffered.end, size))
        buffered.release(buffered.from + Math.floor((buffered.end - buffered.from) * released))
        let at = buffered.from
        for (const { offset, bytes } of buffered.since(at)) {
          expect(offset).toBe(at)
          expect(bytes.equals(bytesFrom(offset, bytes.length))).toBe(true)
          at += bytes.length
        }
        expect(at).toBe(buffered.end)
      }
    }),
    { numRuns: 50 },
  )
})

it('uses the same memory again for output that is released', () => {
  const buffered = new BufferedOutput(kibibyte)
  const used = new Set<ArrayBufferLike>()
  for (let i = 0; i < 1_000; i += 1) {
    for (const { bytes } of buffered.add('out', Buffer.alloc(64 * kibibyte))) used.add(bytes.buffer)
    buffered.release(buffered.end - 100 * kibibyte)
  }
  expect(used.size).toBeLessThanOrEqual(3)
})

it('is full once it has as much as it may keep, until some of it is released', () => {
  const buffered = new BufferedOutput(4 * kibibyte)
  buffered.add('out', Buffer.alloc(4 * kibibyte - 1))
  expect(buffered.isFull).toBe(false)
  buffered.add('err', Buffer.alloc(1))
  expect(buffered.isFull).toBe(true)
  buffered.release(1)
  expect([buffered.isFull, buffered.from]).toEqual([false, 1])
})

/** Bytes that depend on their offset. */
function bytesFrom(offset: number, length: number): Buffer {
  return pattern.subarray(offset % period, (offset % period) + length)
}
