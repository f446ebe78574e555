import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { type KeySource, loadKey } from './key.ts'

/** An HMAC of a named value: without the key, the value cannot be guessed from it. */
export type KeyedHash = (name: string, value: string) => string

/**
 * Hashes secrets of this machine with a key derived from its sealing key. Where no key can be loaded or made, a key of
 * this process must do: a yes that another process takes up is then asked for again.
 */
export async function loadKeyedHash(source: Pick<KeySource, 'home' | 'env'>): Promise<KeyedHash> {
  try {
    return createKeyedHash(await loadKey({ ...source, create: true }))
  } catch {
    return createKeyedHash(randomBytes(32))
  }
}

export function createKeyedHash(key: Buffer): KeyedHash {
  const own = Buffer.from(hkdfSync('sha256', key, '', 'beckon/facts/v1', 32))
  return (name, value) =>
    createHmac('sha256', own)
      .update(JSON.stringify([name, value]))
      .digest('base64url')
}
