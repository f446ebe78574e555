import type { Transaction } from '../store/store.ts'
import { newId } from './ids.ts'

export interface NewMessage {
  /** The id of a request or a run. */
  subject: string
  target: string
  occasion: string
  /** When the event happened. */
  at: number
  /** When it may be sent; now unless given. */
  due?: number
}

/** False when there is such a message already. */
export async function writeMessage(tx: Transaction, { due = 0, ...message }: NewMessage): Promise<boolean> {
  const now = await tx.now()
  const start = Math.max(now, due)
  return tx.insertMessage({
    id: newId('msg', now),
    ...message,
    state: 'waiting',
    tries: 0,
    due: start,
    createdAt: start,
    doneAt: null,
    error: null,
    handle: null,
  })
}
