import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

// A supervisor and a holder prove to each other that they know the secret in the folder of the run, which no other user
// can read. The secret itself is never sent. Each proof covers fresh nonces of both sides and the role of the prover, so
// it cannot be used again, nor sent back.

export interface Nonces {
  holder: string
  supervisor: string
}

export function createSecret(): string {
  return randomBytes(32).toString('base64url')
}

export function createNonce(): string {
  return randomBytes(32).toString('base64url')
}

export function prove(secret: string, role: keyof Nonces, { holder, supervisor }: Nonces): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([role, holder, supervisor]))
    .digest('base64url')
}

export function isProof(proof: unknown, secret: string, role: keyof Nonces, nonces: Nonces): boolean {
  const expected = Buffer.from(prove(secret, role, nonces))
  const given = Buffer.from(String(proof))
  return given.length === expected.length && timingSafeEqual(given, expected)
}
