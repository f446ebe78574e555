import { openHub } from 'beckon'
import { questionOf } from './question.mjs'

/** Beckon: the asker waits in this process, and confirms that it has taken the answer. */
export async function openPeer({ database, onResume }) {
  // A channel, because this program passes on what a person decides: so no call looks for an agent around it.
  const hub = await openHub({ database, channel: 'bench' })
  const waiting = new Map()
  return { ask, answer, close: () => hub.close() }

  async function ask(n) {
    const { id } = await hub.raise({ questions: [{ question: questionOf(n) }] })
    waiting.set(id, hub.wait(id))
    return id
  }

  async function answer(id) {
    const resumed = resume(id, waiting.get(id) ?? hub.wait(id))
    await hub.answer(id, { value: 'PostgreSQL' })
    await resumed
  }

  async function resume(id, settled) {
    await settled
    waiting.delete(id)
    onResume(id)
    await hub.confirmDelivery(id)
  }
}
