import { constants } from 'node:os'
import type { Exit } from './holder/frames.ts'

/** The exit code of an agent, as a shell reports it. */
export function exitCodeOf({ code, signal, error }: Exit): number {
  if (error !== null) return 127
  return code ?? 128 + (constants.signals[signal as NodeJS.Signals] ?? 0)
}

/** Whether something ended the agent before it could end by itself: a signal, also one that its shell reports, or a lost holder. */
export function wasCutOff(exit: Exit): boolean {
  return exit.code === null || exit.code > 128
}
