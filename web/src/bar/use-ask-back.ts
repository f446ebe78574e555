import { useOptimistic, useState, useTransition } from 'react'
import type { Message } from '../../../src/protocol/message.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { sendMessage } from '../api/messages.ts'
import { updateHubState } from '../state/hub-state.ts'
import { errorText } from '../words/error-text.ts'

export interface AskBack {
  /** Those of the request, and the one that is being sent. */
  readonly messages: readonly (Message & { readonly isSending?: boolean })[]
  readonly isSending: boolean
  /** Why the last one was not sent. */
  readonly problem: string | null
  send(text: string, onSent: () => void): void
}

/** Messages to the asker, which leave the request open. */
export function useAskBack({ id, messages: known }: Request): AskBack {
  const [messages, addMessage] = useOptimistic<AskBack['messages'], string>(known, (messages, text) => [
    ...messages,
    { id: 'sending', from: 'person', by: '', text, at: new Date().toISOString(), isSending: true },
  ])
  const [problem, setProblem] = useState<string | null>(null)
  const [isSending, startSending] = useTransition()
  return { messages, isSending, problem, send }

  function send(text: string, onSent: () => void) {
    startSending(async () => {
      addMessage(text)
      setProblem(null)
      try {
        updateHubState(await sendMessage(id, text))
        onSent()
      } catch (error) {
        setProblem(errorText(error))
      }
    })
  }
}
