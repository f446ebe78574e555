import { readFileSync } from 'node:fs'
import { invalid } from '../protocol/errors.ts'
import type { Context } from './context.ts'

/** Bytes that are no UTF-8 reach us as U+FFFD: what was meant is lost, and must not be stored as if it were that. */
export function refuseInvalidUtf8({ args }: Context): void {
  const broken = args.findIndex(arg => arg.includes('\ufffd'))
  if (broken < 0 || argumentsAreUtf8()) return
  throw invalid([{ path: `argument ${broken + 1}`, message: 'is not valid UTF-8' }])
}

/** Somebody may really write U+FFFD; only Linux lets us see which it was. */
function argumentsAreUtf8(): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(readFileSync('/proc/self/cmdline'))
    return true
  } catch {
    return false
  }
}
