import { BeckonError, includesScope, type Scope } from '../../protocol/index.ts'
import type { Grant } from '../access/grant.ts'

/** Refuses a caller whose scope is less than what an operation needs; null needs none. */
export function requireScope({ scope }: Pick<Grant, 'scope'>, needed: Scope | null): void {
  if (needed !== null && !includesScope(scope, needed)) throw needsScope(needed, scope)
}

export function needsScope(needed: Scope, scope: Scope): BeckonError {
  return new BeckonError('not_allowed', `This needs a token with the scope ${needed}; this one's is ${scope}.`)
}
