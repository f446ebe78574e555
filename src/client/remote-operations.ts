import type { Request, Settlement } from '../protocol/index.ts'
import { writeCall } from '../protocol/operations/arguments.ts'
import {
  type Operation,
  type OperationName,
  operation,
  type ResultOf,
  type VerbName,
} from '../protocol/operations/index.ts'
import type { VerbArguments } from '../protocol/operations/verbs.ts'

// Calls the operations of the table over HTTP. The client and the page share this; each sends in its own way.

export interface SendOptions {
  signal?: AbortSignal | undefined
  /** Where this call is an exception from its entry. */
  repeatable?: boolean
  /** Sent even though the page is being closed. */
  keepalive?: boolean
  /** For a call that the server holds open: when the caller stops to send it again, in milliseconds since 1970. */
  until?: number | null
}

export interface Reply {
  headers: Headers
  body: unknown
}

/** Sends one call. A refusal is thrown, with its `code` and `details`. */
export type Send = (operation: Operation, path: string, body: unknown, options: SendOptions) => Promise<Reply>

type Arguments<Name extends OperationName> = Name extends VerbName ? VerbArguments<Name> : readonly unknown[]

export interface RemoteOperations {
  /** Calls an operation as its verb is called, and returns what its verb returns. */
  call<Name extends OperationName>(name: Name, args: Arguments<Name>, options?: SendOptions): Promise<ResultOf<Name>>
  callEntry(entry: Operation, args: readonly unknown[], options?: SendOptions): Promise<unknown>
}

export function createRemoteOperations(send: Send): RemoteOperations {
  return {
    call: (name, args, options) => callEntry(operation[name], args, options) as never,
    callEntry,
  }

  async function callEntry(entry: Operation, args: readonly unknown[], options: SendOptions = {}): Promise<unknown> {
    const { path, body } = writeCall(entry, args)
    if (entry.settles) return settlementOf(send(entry, path, body, options))
    const document = (await send(entry, path, body, options)).body
    return entry.resultField ? (document as Record<string, unknown>)[entry.resultField] : document
  }
}

async function settlementOf(sent: Promise<Reply>): Promise<Settlement> {
  try {
    const { body, headers } = await sent
    const replay = headers.get('beckon-replay') === 'true'
    const kept = headers.get('beckon-kept')
    const name = kept === null ? {} : { kept: decodeURIComponent(kept) }
    return { won: !replay, replay, request: body as Request, ...name }
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { request: Request } }
    if (code !== 'settled_otherwise' || !details) throw error
    return { won: false, replay: false, request: details.request }
  }
}
