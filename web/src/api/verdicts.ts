import type { Verdict } from '../../../src/protocol/verdict.ts'
import { call } from './call.ts'

export function judge(id: string, command: string, signal: AbortSignal): Promise<Verdict> {
  return call('judge', [id, { command }], { signal })
}
