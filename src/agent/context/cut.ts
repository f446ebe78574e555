import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const maxOutput = 10_000

/** An output as the model reads it: its head and its tail, with a note of what is missing and where all of it is. */
export function cutOutput(output: string, whole: string, max = maxOutput): { output: string; whole: string | null } {
  if (output.length <= max) return { output: wellFormed(output), whole: null }
  mkdirSync(dirname(whole), { recursive: true, mode: 0o700 })
  writeFileSync(whole, output, { mode: 0o600 })
  const half = Math.floor(max / 2)
  const missing = output.length - 2 * half
  const note = `\n\n… (truncated ${missing} of ${output.length} characters; the whole output is in ${whole}) …\n\n`
  return { output: wellFormed(`${output.slice(0, half)}${note}${output.slice(-half)}`), whole }
}

/** The cut may split a surrogate pair, which UTF-8 cannot encode. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}
