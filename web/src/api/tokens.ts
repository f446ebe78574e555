import type { NewToken, Scope, Token } from '../../../src/protocol/token.ts'
import { call } from './call.ts'

export type { Scope } from '../../../src/protocol/token.ts'

// Repeated here because the schemas beside the original would load zod into the page.
export const scopes: readonly Scope[] = ['ask', 'run', 'answer', 'admin']

export function listTokens(): Promise<Token[]> {
  return call('tokens.list', [])
}

/** The secret is shown this once. */
export function createToken(name: string, scope: Scope, expires: number | null): Promise<NewToken> {
  return call('tokens.create', [{ name, scope, ...(expires === null ? {} : { expires }) }])
}

export function revokeToken(id: string): Promise<unknown> {
  return call('tokens.revoke', [id])
}
