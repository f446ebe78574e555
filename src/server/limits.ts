import { dependencyLimits } from '../protocol/limits.ts'

/** What one server accepts; an operator sets it with `beckon serve`. */
export interface ServerLimits {
  /** Of one agent's token. */
  asksPerSecond: number
  /** How many asks an agent's token may make at once, before `asksPerSecond` counts. */
  askBurst: number
  /** Bytes of a JSON body; the files of an ask come on top. */
  maxBody: number
  /** Bytes of a file that a person uploads. */
  maxUpload: number
  /** Seconds that one call waits for an answer. */
  maxWait: number
  /** Waits and streams of one token that are open at the same time. */
  maxOpen: number
}

export const usualLimits: ServerLimits = {
  asksPerSecond: 200,
  askBurst: 2_000,
  maxBody: 8 * 1_048_576,
  maxUpload: dependencyLimits.upload,
  maxWait: 600,
  maxOpen: 20_000,
}
