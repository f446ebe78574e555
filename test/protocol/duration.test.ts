import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDuration, timeout } from '../../src/protocol/duration.ts'
import { limits } from '../../src/protocol/limits.ts'

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h30m', 5_400_000],
    ['2d', 172_800_000],
    ['1w', 604_800_000],
    ['250ms', 250],
    ['1.5h', 5_400_000],
    [' 1H30M\n', 5_400_000],
    ['90', 90_000],
    ['0.5', 500],
    ['0', 0],
  ])('reads %j', (source, ms) => expect(parseDuration(source)).toBe(ms))

  it.each([
    '',
    ' ',
    's',
    '-5s',
    '+5s',
    '1 h',
    '1h 30m',
    '1m30',
    '1.s',
    '.5s',
    '1e3',
    '1_000s',
    '0x10',
    '5y',
    '٣s',
    'NaN',
    'Infinity',
  ])('does not guess at %j', source => expect(parseDuration(source)).toBeNull())

  it('is the sum of its parts', () => {
    const part = fc.tuple(fc.nat(100_000), fc.constantFrom('ms', 's', 'm', 'h', 'd', 'w'))
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), parts => {
        const source = parts.map(([amount, unit]) => `${amount}${unit}`).join('')
        expect(parseDuration(source)).toBe(parts.reduce((sum, [amount, unit]) => sum + amount * units[unit], 0))
      }),
    )
  })

  it('is never negative and never a fraction, whatever the text', () => {
    const source = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d.mshdw]{1,30}$/))
    fc.assert(
      fc.property(source, source => {
        const ms = parseDuration(source)
        if (ms !== null) expect(ms >= 0 && (Number.isInteger(ms) || ms === Number.POSITIVE_INFINITY)).toBe(true)
      }),
    )
  })

  it('is read in no time from a hostile text', () => {
    const start = performance.now()
    for (const source of ['1'.repeat(1_000_000), `${'1s'.repeat(500_000)}x`, `${'1.1'.repeat(300_000)}`])
      parseDuration(source)
    expect(performance.now() - start).toBeLessThan(2_000)
  })
})

describe('a timeout', () => {
  it('is milliseconds as a number, and a duration as a text', () => {
    expect(timeout.parse(1_500)).toBe(1_500)
    expect(timeout.parse('90s')).toBe(90_000)
    expect(timeout.parse(limits.timeout)).toBe(limits.timeout)
  })

  it('never becomes nothing by rounding', () => expect(timeout.parse(0.1)).toBe(1))

  it.each([
    [0, 'longer than zero'],
    [-1, 'longer than zero'],
    ['0s', 'longer than zero'],
    [limits.timeout + 1, 'ten years'],
    [1e300, 'ten years'],
    ['521.5w', 'ten years'],
    ['-5s', 'not a duration'],
    ['soon', 'not a duration'],
    ['', 'not a duration'],
    ['9'.repeat(400), 'not a duration'],
  ])('refuses %j', (value, reason) => {
    expect(
      timeout
        .safeParse(value)
        .error?.issues.map(issue => issue.message)
        .join(),
    ).toContain(reason)
  })

  it.each([null, undefined, true, Number.NaN, Number.POSITIVE_INFINITY, {}, [], 5n])('refuses %s', value => {
    expect(timeout.safeParse(value).success).toBe(false)
  })

  it('is a whole number of milliseconds within ten years, or refused', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.double(), fc.integer(), fc.string(), fc.stringMatching(/^\d{1,12}(ms|s|m|h|d|w)$/)),
        value => {
          const { success, data = 1 } = timeout.safeParse(value)
          if (success) expect(Number.isInteger(data) && data >= 1 && data <= limits.timeout).toBe(true)
        },
      ),
    )
  })
})
