import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Scope } from '../../protocol/index.ts'

// Every secret is 256 random bits and only its hash is stored, so there is nothing in the store to sign in with.

/** The kind stands in the secret, so that anybody who finds one in the wrong place knows what it opens. */
export function newSecret(kind: Scope | 'link' | 'session' | 'page'): string {
  return `beckon_${kind}_${randomBytes(32).toString('base64url')}`
}

export function hashOf(secret: string): string {
  return hash('sha256', secret, 'hex')
}

export function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
}
