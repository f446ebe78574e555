import type { Context } from '../context.ts'
import { readText } from '../read-text.ts'
import type { Source } from './arguments.ts'
import { invalidJson, missingJson } from './bad-call.ts'

// Six times the size of four questions with the longest previews.
const longest = 10_000_000

/** The JSON of a call, from an argument, a file or stdin. */
export async function readJson(context: Context, source: Source): Promise<unknown> {
  const text = 'text' in source ? source.text : await readText(context, source.file, 'file', longest)
  const whole = text.replace(/^\ufeff/, '')
  if (whole.trim() === '') throw missingJson()
  const value = parseAsDelivered(whole)
  if ('pieces' in source && source.pieces > 1) {
    context.stderr.write(`AskUserQuestion: ${splitByShell(source.pieces)}\n`)
  }
  return value
}

function splitByShell(pieces: number): string {
  return `The shell split the JSON into ${pieces} arguments. They are joined with spaces, but apostrophes may be lost. Safer: AskUserQuestion - <<'EOF'`
}

/**
 * Parses the text as it is. Only if that fails, undoes what shells are known to do: an extra pair of quotes around it, a
 * backslash before every quote, line breaks inside strings. Nothing else is repaired: no bracket is ever added.
 */
export function parseAsDelivered(text: string): unknown {
  for (const reading of readings(text)) {
    try {
      const value: unknown = JSON.parse(reading)
      // A JSON string that contains JSON is an extra pair of quotes, too.
      return typeof value === 'string' ? JSON.parse(value) : value
    } catch {}
  }
  throw invalidJson()
}

function* readings(text: string): Generator<string> {
  for (const whole of [text, ...unwrapped(text)]) {
    for (const plain of [whole, ...unescaped(whole)]) {
      yield plain
      yield withEscapedBreaks(plain)
    }
  }
}

function unwrapped(text: string): string[] {
  const [, , inside] = /^\s*(['"])(.*)\1\s*$/s.exec(text) ?? []
  return inside === undefined ? [] : [inside]
}

function unescaped(text: string): string[] {
  const isEscaped = text.includes('"') && !/(?<!\\)"/.test(text)
  return isEscaped ? [text.replaceAll(/\\(["\\])/g, '$1')] : []
}

const breaks: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

function withEscapedBreaks(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, string => string.replaceAll(/[\n\r\t]/g, found => breaks[found] ?? ''))
}
