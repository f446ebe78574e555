import { randomBytes } from './random-bytes.ts'

// Crockford's base32 in lower case: it has no letters that look alike.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeLength = 10
const countLength = 4
const randomLength = 12

let lastTime = 0
let count = 0

/**
 * An id that sorts by creation: the time, a count within the millisecond, and sixty random bits. When the clock is set
 * back, later ids of this process still sort after earlier ones.
 */
export function newId(
  prefix: 'req' | 'run' | 'att' | 'chk' | 'kept' | 'tok' | 'rul' | 'target' | 'msg' | 'pair',
  now: number,
): string {
  // The count begins at random in the lower half, so that two processes in the same millisecond begin differently.
  count = now > lastTime ? draw(4).readUInt32LE() % (32 ** countLength / 2) : count + 1
  lastTime = Math.max(lastTime, now)
  return `${prefix}_${encode(lastTime, timeLength)}${encode(count, countLength)}${randomDigits()}`
}

function encode(value: number, length: number): string {
  let encoded = ''
  for (let rest = value; encoded.length < length; rest = Math.floor(rest / 32)) {
    encoded = alphabet.charAt(rest % 32) + encoded
  }
  return encoded
}

function randomDigits(): string {
  let encoded = ''
  for (const byte of draw(randomLength)) encoded += alphabet.charAt(byte % 32)
  return encoded
}

// Random bytes for many ids at once: one call costs as much as the rest of an id.
const drawnAtOnce = 2_048
let pool: Buffer = Buffer.alloc(0)

function draw(size: number): Buffer {
  if (pool.length < size) pool = randomBytes(drawnAtOnce)
  const drawn = pool.subarray(0, size)
  pool = pool.subarray(size)
  return drawn
}
