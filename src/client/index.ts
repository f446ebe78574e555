import type { Hub } from '../typed/hub.ts'
import { createTypedHub } from '../typed/typed-hub.ts'
import { createHttpHub } from './http-hub.ts'

export { BeckonError, type ErrorCode, isTemporary, type Problem } from '../protocol/errors.ts'
export type { AskOptions, FollowOptions, ListFilter, WaitOptions } from '../protocol/hub.ts'
export type { Ask, DescribedOption, Option, Prompt } from '../typed/ask.ts'
export type { Hub } from '../typed/hub.ts'
export type { Outcome } from '../typed/outcome.ts'
export type { Request } from '../typed/request.ts'

/** A hub over HTTP. What it attaches are names and bytes: there may be no files where it runs. */
export type RemoteHub = Hub<never>

export interface ConnectOptions {
  /** From `beckon token create`. Its scope says what this program may do. */
  token: string
  /** Who asks, as people see it, unless an ask says so. */
  agent?: string | undefined
  /** Where it asks from, as people see it, unless an ask says so. */
  directory?: string | undefined
  /** Who answers, for a program that passes on what people decide; and through which channel, such as `slack`. */
  user?: string | undefined
  channel?: string | undefined
  /** Another fetch than the global one. */
  fetch?: typeof fetch | undefined
}

/** The hub of `beckon serve` at this address. Nothing is sent before the first call. */
export function connect(url: string, options: ConnectOptions): RemoteHub {
  return createTypedHub<never>(createHttpHub({ url, ...options }))
}
