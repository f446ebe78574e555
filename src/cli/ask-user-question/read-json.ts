import type { Context } from '../context.ts'
import { readText } from '../read-text.ts'
import type { Source } from './arguments.ts'
import { invalidJson, missingJson } from './bad-call.ts'

// Four questions with a preview of the longest kind at every option are a sixth of this.
const longest = 10_000_000

/** The JSON of a call, from wherever it comes. */
export async function readJson(context: Context, source: Source): Promise<unknown> {
  const text = 'text' in source ? source.text : await readText(context, source.file, 'file', longest)
  const whole = text.replace(/^\ufeff/, '')
  if (whole.trim() === '') throw missingJson()
  const value = parseAsDelivered(whole)
  if ('pieces' in source && source.pieces > 1) {
    context.stderr.write(`AskUserQuestion: ${torn(source.pieces)}\n`)
  }
  return value
}

function torn(pieces: number): string {
  return `the shell tore the JSON into ${pieces} pieces; joined by spaces it is asked, but apostrophes may be gone. Safer: AskUserQuestion - <<'EOF'`
}

/**
 * The text as it is. Only where that is no JSON, what shells are known to do to it is undone: one more pair of quotes
 * around it, a backslash before every quote, line breaks inside of strings. Nothing beyond: no bracket is ever added.
 */
export function parseAsDelivered(text: string): unknown {
  for (const reading of readings(text)) {
    try {
      const value: unknown = JSON.parse(reading)
      // JSON as a string of JSON is one more pair of quotes, too.
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
