import { randomBytes } from 'node:crypto'

// Crockford's alphabet, in lower case: no letter that is taken for another.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const randomLength = 16

let lastTime = 0

/** An id that sorts by creation: ten characters of time, sixteen of chance (80 bits). */
export function newId(prefix: 'req' | 'run', now: number): string {
  // A clock that was set back must not make a later request sort before an earlier one of this process.
  lastTime = Math.max(lastTime, now)
  return `${prefix}_${encodeTime(lastTime)}${encodeChance()}`
}

function encodeTime(time: number): string {
  let encoded = ''
  for (let rest = time, i = 0; i < timeLength; i += 1, rest = Math.floor(rest / 32)) {
    encoded = alphabet.charAt(rest % 32) + encoded
  }
  return encoded
}

function encodeChance(): string {
  let encoded = ''
  for (const byte of randomBytes(randomLength)) encoded += alphabet.charAt(byte % 32)
  return encoded
}
