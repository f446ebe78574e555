import { hash, randomInt } from 'node:crypto'

// Crockford's base32: no letters that look alike. Sixty bits, for ten minutes.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function newCode(): string {
  const letters = Array.from({ length: 12 }, () => alphabet.charAt(randomInt(alphabet.length)))
  return [0, 4, 8].map(start => letters.slice(start, start + 4).join('')).join('-')
}

/** However it was typed: in lower case, without its dashes, with letters that look like digits. */
export function hashOfCode(code: string): string {
  const letters = code.toUpperCase().replaceAll(/[\s-]/g, '').replaceAll('O', '0').replaceAll(/[IL]/g, '1')
  return hash('sha256', `pairing ${letters}`, 'hex')
}
