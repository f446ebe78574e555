import { randomBytes, randomInt } from 'node:crypto'

// Crockford's alphabet, in lower case: no letter that is taken for another.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const countLength = 4
const chanceLength = 12

let lastTime = 0
let count = 0

/**
 * An id that sorts by creation: the time, a count within the millisecond, and sixty bits of chance. A clock that was
 * set back does not make a later request of this process sort before an earlier one.
 */
export function newId(prefix: 'req' | 'run' | 'chk' | 'kept' | 'tok' | 'rul' | 'target' | 'msg', now: number): string {
  // The count begins anywhere in the lower half, so that two processes of the same millisecond do not begin alike.
  count = now > lastTime ? randomInt(32 ** countLength / 2) : count + 1
  lastTime = Math.max(lastTime, now)
  return `${prefix}_${encode(lastTime, timeLength)}${encode(count, countLength)}${chance()}`
}

function encode(value: number, length: number): string {
  let encoded = ''
  for (let rest = value; encoded.length < length; rest = Math.floor(rest / 32)) {
    encoded = alphabet.charAt(rest % 32) + encoded
  }
  return encoded
}

// Drawn for many ids at once: one call costs as much as the rest of an id.
const drawn = 128
let pool = Buffer.alloc(0)

function chance(): string {
  if (pool.length < chanceLength) pool = randomBytes(drawn * chanceLength)
  let encoded = ''
  for (const byte of pool.subarray(0, chanceLength)) encoded += alphabet.charAt(byte % 32)
  pool = pool.subarray(chanceLength)
  return encoded
}
