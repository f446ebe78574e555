import { accessLock, chatLock, keptLock, outboxLock } from '../../store/locks.ts'
import type { Transaction } from '../../store/store.ts'
import { deleteKeptOf } from '../kept-values.ts'

/** What a change that revokes something holds. */
export const revokeLocks = [accessLock, chatLock, keptLock, outboxLock]

/**
 * Ends tokens and sessions with everything that ends with them: sessions, links, the tokens of agents, push
 * subscriptions, pairings and kept values. Returns the ids of what ended now.
 */
export async function revoke(tx: Transaction, ids: readonly string[], by: string): Promise<string[]> {
  const at = await tx.now()
  const ended = new Set<string>()
  for (const id of ids) for (const record of await tx.revokeToken(id, at)) ended.add(record.id)
  for (const target of await tx.targets()) {
    if (target.token !== null && ended.has(target.token)) await tx.deleteTarget(target.id)
  }
  for (const pairing of await tx.pairings()) {
    if (pairing.token !== null && ended.has(pairing.token)) await tx.deletePairing(pairing.id)
  }
  await deleteKeptOf(tx, ended, by)
  return [...ended]
}
