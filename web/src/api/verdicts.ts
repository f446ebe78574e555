import type { ResultOf } from '../../../src/protocol/operations/index.ts'
import { call } from './call.ts'

/** What the guard says about a command. */
export type Verdict = ResultOf<'judge'>

export function judge(id: string, command: string, signal: AbortSignal): Promise<Verdict> {
  return call('judge', [id, { command }], { signal })
}
