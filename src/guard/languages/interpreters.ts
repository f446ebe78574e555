import type { Call } from '../call.ts'
import type { Reading } from '../reading/reading.ts'
import type { Stream } from '../reading/values.ts'

/** python -c, node -e and the like: code in other languages. */
export function runInterpreter(_call: Call, _reading: Reading): Stream | null {
  return null
}
