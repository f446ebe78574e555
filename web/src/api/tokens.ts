import { call } from './call.ts'

export const scopes = ['ask', 'run', 'answer', 'admin'] as const
export type Scope = (typeof scopes)[number]

export interface Token {
  id: string
  name: string
  scope: Scope
  run: string | null
  createdAt: string
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
}

export async function listTokens(): Promise<Token[]> {
  return (await call<{ tokens: Token[] }>('GET', '/tokens')).tokens
}

/** The secret is told this once. */
export function createToken(
  name: string,
  scope: Scope,
  expires: number | null,
): Promise<{ token: Token; secret: string }> {
  return call('POST', '/tokens', { body: { name, scope, ...(expires === null ? {} : { expires }) } })
}

export function revokeToken(id: string): Promise<unknown> {
  return call('DELETE', `/tokens/${encodeURIComponent(id)}`)
}
