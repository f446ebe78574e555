import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

const longestOutput = 10_000

/** An output as the model gets it: its head and its tail, with a note of what is missing and where the whole is kept. */
export function cutOutput(
  output: string,
  whole: string,
  most = longestOutput,
): { output: string; whole: string | null } {
  if (output.length <= most) return { output: wellFormed(output), whole: null }
  mkdirSync(dirname(whole), { recursive: true, mode: 0o700 })
  writeFileSync(whole, output, { mode: 0o600 })
  const half = Math.floor(most / 2)
  const missing = output.length - 2 * half
  const note = `\n\n… (truncated ${missing} of ${output.length} characters; the whole output is in ${whole}) …\n\n`
  return { output: wellFormed(`${output.slice(0, half)}${note}${output.slice(-half)}`), whole }
}

/** Half a character at the cut has no UTF-8. */
function wellFormed(text: string): string {
  return text.toWellFormed()
}
