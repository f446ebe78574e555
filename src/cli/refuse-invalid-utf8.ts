import { readFileSync } from 'node:fs'
import { invalid } from '../protocol/errors.ts'
import type { Context } from './context.ts'

/** Node turns invalid UTF-8 into U+FFFD. The original bytes are lost, and U+FFFD must not be stored in their place. */
export function refuseInvalidUtf8({ args }: Context): void {
  const replaced = args.findIndex(arg => arg.includes('\ufffd'))
  if (replaced < 0 || argumentsAreUtf8()) return
  throw invalid([{ path: `argument ${replaced + 1}`, message: 'is not valid UTF-8' }])
}

/** U+FFFD may be intended; only Linux shows the original bytes. */
function argumentsAreUtf8(): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(readFileSync('/proc/self/cmdline'))
    return true
  } catch {
    return false
  }
}
