import type { Message } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { Usage } from './journal/entries.ts'

/** Everything that happens in a turn. `path` names the agents from the main one to the one it happens in. */
export type AgentEvent = { readonly path: readonly string[] } & (
  | { readonly type: 'text'; readonly text: string }
  /** Discard the reply so far: the model is asked again. */
  | { readonly type: 'retry'; readonly attempt: number; readonly inMs: number; readonly why: string }
  | { readonly type: 'reply'; readonly text: string; readonly usage: Usage | null }
  | { readonly type: 'call'; readonly call: string; readonly tool: string; readonly title: string }
  | { readonly type: 'output'; readonly call: string; readonly text: string }
  | {
      readonly type: 'result'
      readonly call: string
      readonly tool: string
      readonly output: string
      readonly failed: boolean
    }
  | { readonly type: 'asked'; readonly call: string; readonly request: Request }
  | { readonly type: 'settled'; readonly call: string; readonly request: Request }
  | {
      readonly type: 'askedBack'
      readonly call: string
      readonly request: Request
      readonly messages: readonly Message[]
    }
  | { readonly type: 'context'; readonly tokens: number; readonly limit: number }
  | { readonly type: 'compacting' }
  | { readonly type: 'compacted'; readonly tokens: number }
)

/** How a turn ended. Only `waiting` needs a person before it can continue; `limit` continues with the next runTurn. */
export type TurnResult =
  | { readonly status: 'done'; readonly needsInput: false; readonly text: string }
  | {
      readonly status: 'waiting'
      readonly needsInput: true
      readonly question: Request
      readonly questions: readonly Request[]
    }
  | { readonly status: 'limit'; readonly needsInput: false; readonly text: string }
  | { readonly status: 'interrupted'; readonly needsInput: false; readonly text: string }
  | { readonly status: 'failed'; readonly needsInput: false; readonly error: string }
