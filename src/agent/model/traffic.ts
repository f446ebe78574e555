import { callModel, type ModelCall, type Reply } from './call.ts'
import { describeModelError } from './retry.ts'

/** What goes to the model and comes back, for a log that somebody asked for. */
export type ModelTraffic =
  | {
      readonly type: 'request'
      readonly model: string
      readonly instructions: string
      readonly messages: ModelCall['messages']
      readonly tools: readonly string[]
    }
  | { readonly type: 'response'; readonly ms: number; readonly reply: Reply }
  | { readonly type: 'failure'; readonly ms: number; readonly error: string }

export interface TrafficLog {
  readonly model: string
  log(entry: ModelTraffic): void
}

/** A request to the model, with what it sends and gets in the log. */
export async function callAndLog(call: ModelCall, traffic: TrafficLog | null): Promise<Reply> {
  if (!traffic) return callModel(call)
  const { model, log } = traffic
  const { instructions, messages, tools } = call
  const start = performance.now()
  const ms = () => Math.round(performance.now() - start)
  log({ type: 'request', model, instructions, messages, tools: tools.map(({ name }) => name) })
  try {
    const reply = await callModel(call)
    log({ type: 'response', ms: ms(), reply })
    return reply
  } catch (error) {
    log({ type: 'failure', ms: ms(), error: describeModelError(error) })
    throw error
  }
}
