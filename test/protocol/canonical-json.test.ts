import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, type Json } from '../../src/protocol/canonical-json.ts'
import { jsonSchema } from '../../src/protocol/json-schema.ts'

describe('canonical JSON', () => {
  it('spells the examples of RFC 8785 as the RFC does', () => {
    const numbers = JSON.parse('{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]}')
    expect(canonicalJson(numbers)).toBe('{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}')
    const text = { string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/', literals: [null, true, false] }
    expect(canonicalJson(text)).toBe('{"literals":[null,true,false],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}')
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
    expect(Object.keys(JSON.parse(canonicalJson(names)))).toHaveLength(7)
    expect([...canonicalJson(names).matchAll(/:(\d)/g)].map(([, value]) => value).join('')).toBe('2467153')
  })

  it('is one spelling for one value, and means that value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const spelled = canonicalJson(value as Json)
        expect(JSON.parse(spelled)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(canonicalJson(JSON.parse(spelled))).toBe(spelled)
        expect(canonicalJson(reversed(value as Json))).toBe(spelled)
      }),
    )
  })

  it('takes any JSON of a reasonable size, and nothing else', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, noUnicodeString: true }), value => {
        const isExact = (_: string, one: unknown) =>
          typeof one === 'number' && Math.abs(one) > Number.MAX_SAFE_INTEGER ? '\0' : one
        const text = JSON.stringify(value, isExact)
        expect(jsonSchema.safeParse(value).success).toBe(!text.includes('\\u0000'))
      }),
    )
    for (const value of [
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      1n,
      () => 1,
      new Date(),
      '\ud800',
      new Map(),
    ]) {
      expect(jsonSchema.safeParse({ value }).success).toBe(false)
    }
  })
})

/** The same value with the names of its objects in the opposite order. */
function reversed(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, one]) => [name, reversed(one)]),
  )
}
