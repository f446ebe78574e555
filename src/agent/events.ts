import type { Message } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { TakenImage } from './images/store.ts'
import type { Usage } from './journal/entries.ts'
import type { ReadInstructions } from './project/instructions.ts'

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
      /** The call in one line; a call that never ran had no `call` event. */
      readonly title: string
      readonly output: string
      readonly failed: boolean
      /** The file with all of a shortened output. */
      readonly whole: string | null
      /** What changed in a file, as a unified diff. */
      readonly diff?: string
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
  /** The files of instructions that the model gets from now on, and what was found and not read. */
  | { readonly type: 'instructions'; readonly files: readonly ReadInstructions[]; readonly left: readonly string[] }
  /** The images that a message named, and why some are not sent with it. */
  | { readonly type: 'images'; readonly images: readonly TakenImage[] }
  /** Plan mode: nothing is changed before a person approves a plan. */
  | { readonly type: 'planning'; readonly on: boolean }
  /** What became of an MCP server, and why it does not run. */
  | {
      readonly type: 'server'
      readonly name: string
      readonly status: 'running' | 'failed' | 'refused'
      readonly tools: number
      readonly why: string | null
    }
  /** The conversation was cut back. The checkpoint has the files as they were before; null where there is none. */
  | {
      readonly type: 'rewound'
      readonly restored: readonly string[]
      readonly removed: readonly string[]
      readonly before: string | null
    }
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
