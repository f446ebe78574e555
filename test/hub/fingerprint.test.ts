import { hash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { randomBytes } from '../../src/hub/random-bytes.ts'

it('a fingerprint is the SHA-256 of the text, also where it is worked out without OpenSSL', async () => {
  // Every length around the ends of the blocks, with characters of one to four bytes; a few per load, as in a command.
  const texts = Array.from({ length: 200 }, (_, length) => 'aé木🎉'.repeat(length).slice(0, length))
  for (let at = 0; at < texts.length; at += 10) {
    vi.resetModules()
    const { fingerprint } = await import('../../src/hub/fingerprint.ts')
    for (const text of texts.slice(at, at + 10)) expect(fingerprint(text)).toBe(hash('sha256', text, 'base64url'))
  }
})

it('random bytes differ at every call', () => {
  const drawn = Array.from({ length: 100 }, () => randomBytes(16).toString('hex'))
  expect(new Set(drawn).size).toBe(100)
  expect(drawn.every(bytes => bytes.length === 32)).toBe(true)
})
