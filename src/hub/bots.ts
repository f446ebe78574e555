import { hash } from 'node:crypto'
import type { PairingRecord } from '../store/records.ts'
import type { View } from '../store/store.ts'
import { stillCounts } from './access/grant.ts'
import type { OpenTarget } from './sealing.ts'

// A target of Telegram, or of a Slack app, is a bot in a chat.

/** A pairing ends with the token that it was made with: its account neither answers nor hears of anything any more. */
export async function validPairings(view: Pick<View, 'pairings' | 'token' | 'now'>): Promise<PairingRecord[]> {
  const valid: PairingRecord[] = []
  for (const pairing of await view.pairings()) if (await stillCounts(view, pairing.token)) valid.push(pairing)
  return valid
}

/** Without a channel of its own, a bot writes to the first person who was paired with it. */
export function addressed(id: string, target: OpenTarget, pairings: readonly PairingRecord[]): OpenTarget {
  if (!isBot(target) || target.channel !== undefined) return target
  const first = pairings.find(pairing => pairing.target === id)
  return first ? { ...target, channel: first.chat } : target
}

/** An incoming webhook of Slack is not a bot. */
export function isBot(target: OpenTarget): target is Extract<OpenTarget, { kind: 'slack' | 'telegram' }> {
  return target.kind === 'telegram' || (target.kind === 'slack' && target.secret !== null)
}

/** Two targets with the same credentials get the same presses. A topic of ntfy has no bot: its buttons are its own. */
export function botOf(id: string, target: OpenTarget): string {
  if (!isBot(target)) return id
  return hash('sha256', JSON.stringify([target.kind, target.url, target.secret]), 'hex').slice(0, 32)
}
