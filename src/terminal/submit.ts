import type { Decision } from '../form/answer-form.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi, Settlement } from '../protocol/hub.ts'

/** What became of a decision: the hub took it (or somebody was first), or says why it is none. */
export type Submitted = Settlement | { readonly refused: string }

/** How a prompt ended: with a settlement, or left with everything open, or folded away to be taken up again. */
export type PromptEnd = Settlement | 'left' | 'folded'

export async function submit(hub: HubApi, id: string, decision: Decision): Promise<Submitted> {
  const channel = 'terminal'
  try {
    switch (decision.verb) {
      case 'answer':
        return await hub.answer(id, { ...decision.input, channel })
      case 'skip':
        return await hub.skip(id, { note: decision.note, channel })
      case 'decline':
        return await hub.decline(id, { reason: decision.reason, channel })
    }
  } catch (error) {
    if (error instanceof BeckonError && error.code === 'invalid') return { refused: error.message }
    throw error
  }
}
