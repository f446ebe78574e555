import type { Decision } from '../form/answer-form.ts'
import { BeckonError } from '../protocol/errors.ts'
import type { HubApi, Settlement } from '../protocol/hub.ts'

/** The hub either settled the request (or found it settled by somebody else), or says why the input is invalid. */
export type SubmitResult = Settlement | { readonly refused: string }

/** How a prompt ended: with a settlement, left with the request open, or folded to return to the inbox. */
export type PromptEnd = Settlement | 'left' | 'folded'

export async function submit(hub: HubApi, id: string, decision: Decision): Promise<SubmitResult> {
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
