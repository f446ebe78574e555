import { BeckonError, createTokenSchema, invalid, type Token, type TokensApi } from '../../protocol/index.ts'
import { parse } from '../../protocol/parse.ts'
import { accessLock } from '../../store/locks.ts'
import type { TokenRecord } from '../../store/records.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Caller } from '../caller.ts'
import { notFound } from '../not-found.ts'
import { isStarter } from '../value-owner.ts'
import { alreadyStored, newRecord } from './grant.ts'
import { revoke, revokeLocks } from './revoke.ts'
import { newSecret } from './secrets.ts'

const mostTokens = 1_000

/** A token is for a program, or for a person on another machine. */
export function createTokens(store: Store, caller: Caller): TokensApi {
  return {
    async create(input) {
      const { scope, run = null, expires, name } = parse(createTokenSchema, input)
      const secret = newSecret(scope)
      const record = await store.change(async tx => {
        const stored = await alreadyStored(tx, secret)
        if (stored) return stored
        if (run !== null) await needStartedRun(tx, run)
        const now = await tx.now()
        // The token of an agent ends with the token of its supervisor.
        const parent = run === null ? null : caller.token
        const until = parent === null ? null : ((await tx.token(parent))?.expiresAt ?? null)
        const token = newRecord('token', secret, now, { scope, run, parent, name: name ?? run ?? scope })
        token.expiresAt = earliest(expires ? now + expires : null, until)
        await tx.insertToken(token)
        return token
      }, accessLock)
      return { token: showToken(record), secret }
    },

    list: async () => (await store.read(view => view.tokens(mostTokens))).map(showToken),

    async revoke(id) {
      const record = await store.change(async tx => {
        const token = await tx.token(id)
        if (token?.kind !== 'token') return null
        await revoke(tx, [id], caller.user)
        return tx.token(id)
      }, revokeLocks)
      if (!record) throw notFound('token', id)
      return showToken(record)
    },
  }

  /** Its bearer gets the secrets of the run, so only who gets them anyway may make one. */
  async function needStartedRun(tx: Transaction, id: string): Promise<void> {
    const run = await tx.run(id)
    if (!run) throw invalid([{ path: 'run', message: `there is no run ${id}` }])
    if (isStarter(run, caller)) return
    throw new BeckonError('not_allowed', `Only the token that started ${id} can create tokens for its agent.`)
  }
}

function earliest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}

export function showToken({ id, name, scope, run, ...times }: TokenRecord): Token {
  const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString())
  return {
    id,
    name,
    scope,
    run,
    createdAt: new Date(times.createdAt).toISOString(),
    expiresAt: iso(times.expiresAt),
    lastUsedAt: iso(times.lastUsedAt),
    revokedAt: iso(times.revokedAt),
  }
}
