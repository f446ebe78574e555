import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BeckonError } from '../../src/protocol/errors.ts'
import { createSealer, type Sealer } from '../../src/secrets/seal.ts'

const key = Buffer.from('00112233445566778899aabbccddeeff'.repeat(2), 'hex')
const sealer = createSealer(key)
// Whole code points, which all have a UTF-8 encoding.
const wellFormed = fc.string({ unit: 'binary', size: 'large' })
const requestId = fc.string({ unit: 'binary', maxLength: 40 })

describe('a sealed value', () => {
  it('opens to exactly the same text', () => {
    fc.assert(
      fc.property(requestId, wellFormed, (id, value) => {
        expect(sealer.open(id, sealer.seal(id, value).bytes)).toBe(value)
      }),
    )
  })

  it.each(['', '\ufeffwith a mark', ' spaced \r\n', '비밀 🔑', 'x'.repeat(1_000_000)])(
    'opens to exactly the same text: case %#',
    value => {
      expect(sealer.open('req_1', sealer.seal('req_1', value).bytes)).toBe(value)
    },
  )

  it('can be opened by another sealer with the same key', () => {
    expect(createSealer(Buffer.from(key)).open('req_1', sealer.seal('req_1', 'canary').bytes)).toBe('canary')
  })

  it('does not contain the value, and differs each time', () => {
    const [one, two] = [sealer.seal('req_1', 'canary'), sealer.seal('req_1', 'canary')]
    expect(one.bytes.includes('canary')).toBe(false)
    expect(one.bytes.equals(two.bytes)).toBe(false)
  })

  it('is refused if any bit was changed', () => {
    const { bytes } = sealer.seal('req_1', 'canary value')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(['damaged', 'wrong_key']).toContain(refusal(sealer, 'req_1', changed).code)
    }
  })

  it('is refused if it was shortened or extended', () => {
    const { bytes } = sealer.seal('req_1', 'canary value')
    for (let length = 0; length < bytes.length; length++) {
      expect(refusal(sealer, 'req_1', bytes.subarray(0, length)).code).toBe('damaged')
    }
    expect(refusal(sealer, 'req_1', Buffer.concat([bytes, Buffer.of(0)])).code).toBe('damaged')
  })

  it('is refused if it consists of arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), bytes => {
        expect(['damaged', 'wrong_key']).toContain(refusal(sealer, 'req_1', Buffer.from(bytes)).code)
      }),
    )
  })

  it('cannot be opened for another request', () => {
    fc.assert(
      fc.property(requestId, requestId, wellFormed, (mine, other, value) => {
        fc.pre(mine !== other)
        expect(refusal(sealer, other, sealer.seal(mine, value).bytes).code).toBe('damaged')
      }),
    )
  })

  it('is refused with a helpful message if the key is another one', () => {
    const error = refusal(createSealer(randomBytes(32)), 'req_1', sealer.seal('req_1', 'canary').bytes)
    expect(error.code).toBe('wrong_key')
    expect(error.message).toContain('BECKON_KEY')
    expect(error.cause).toBeUndefined()
  })
})

describe('the mac', () => {
  it('matches only the same value of the same request', () => {
    fc.assert(
      fc.property(requestId, wellFormed, requestId, wellFormed, (id, value, otherId, otherValue) => {
        const { mac } = sealer.seal(id, value)
        expect(sealer.matches(id, value, mac)).toBe(true)
        expect(sealer.matches(otherId, otherValue, mac)).toBe(otherId === id && otherValue === value)
      }),
    )
  })

  it('does not confuse the end of an id with the start of a value', () => {
    expect(sealer.matches('ab', 'c', sealer.seal('a', 'bc').mac)).toBe(false)
  })

  it('depends on the key, so it cannot be guessed like a plain hash', () => {
    const { mac } = sealer.seal('req_1', 'yes')
    expect(createSealer(randomBytes(32)).matches('req_1', 'yes', mac)).toBe(false)
    expect(sealer.matches('req_1', 'yes', Buffer.alloc(0))).toBe(false)
  })
})

describe('the fingerprint', () => {
  it('identifies the key without revealing it', () => {
    expect(sealer.fingerprint).toMatch(/^[0-9a-f]{32}$/)
    expect(createSealer(Buffer.from(key)).fingerprint).toBe(sealer.fingerprint)
    expect(createSealer(randomBytes(32)).fingerprint).not.toBe(sealer.fingerprint)
    expect(key.toString('hex')).not.toContain(sealer.fingerprint)
  })

  // A change here would make all existing sealed values unreadable.
  it('stays the same from version to version', () => {
    expect(sealer.fingerprint).toBe('c48a671d34c467099306ee2f1b7e8948')
    expect(
      sealer.open(
        'req_1',
        Buffer.from('01c48a671d34c4670906c6ddf9754610a2bf89ce26e10fb84d9d30e44fca629fe8a903517f6acf1ca33e37', 'hex'),
      ),
    ).toBe('canary')
  })
})

it('createSealer accepts only a key of 32 bytes', () => {
  expect(() => createSealer(Buffer.alloc(31))).toThrow(BeckonError)
})

function refusal(by: Sealer, id: string, bytes: Buffer): BeckonError {
  try {
    by.open(id, bytes)
  } catch (error) {
    expect(error).toBeInstanceOf(BeckonError)
    return error as BeckonError
  }
  throw new Error('it was opened')
}
