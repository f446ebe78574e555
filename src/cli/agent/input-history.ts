import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const maxKept = 500

/** What the person entered before, also in earlier conversations. */
export function openInputHistory(folder: string) {
  const file = join(folder, 'input-history.jsonl')
  const lines = read(file)
  return {
    lines: () => lines,
    add(text: string) {
      if (lines.at(-1) === text) return
      lines.push(text)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        appendFileSync(file, `${JSON.stringify(text)}\n`, { mode: 0o600 })
      } catch {
        // Only the next conversation will miss it.
      }
    },
  }
}

function read(file: string): string[] {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(-maxKept)
    return lines.flatMap(line => {
      const text: unknown = JSON.parse(line)
      return typeof text === 'string' ? [text] : []
    })
  } catch {
    return []
  }
}
