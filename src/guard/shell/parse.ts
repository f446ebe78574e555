import { parse } from 'unbash'
import { ScriptConversion } from './convert-script.ts'
import { TooManyWords } from './convert-words.ts'
import type { ShellScript, Span } from './syntax-tree.ts'

/**
 * Parses shell code. Never throws: `errors` describes what it did not understand. `at` is the span of every node, if the
 * source is not the text that a person sees, or the position at which that text begins.
 */
export function parseShell(source: string, at: Span | number = 0): ShellScript {
  if (nestsTooDeep(source)) return { body: [], errors: ['brackets nest too deeply'] }
  try {
    return new ScriptConversion(at).script(parse(source))
  } catch (error) {
    if (error instanceof TooManyWords) return { body: [], errors: [error.message] }
    // The text of a stack overflow would depend on the size of the stack.
    if (isStackOverflow(error)) return { body: [], errors: ['it nests too deeply'] }
    return { body: [], errors: ['the parser fails on it'] }
  }
}

export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message)
}

const deepest = 64
/** A whole command of 100 kB may be ten brackets deep on average. */
const mostReading = 1_000_000

/** The parser may read everything in brackets again at each level: a limit keeps that linear. Quotes are ignored. */
function nestsTooDeep(source: string): boolean {
  let depth = 0
  let reading = 0
  for (let i = 0; i < source.length; i += 1) {
    const code = source.charCodeAt(i)
    if (code === openRound || code === openCurly) depth += 1
    else if ((code === closeRound || code === closeCurly) && depth > 0) depth -= 1
    reading += depth
    if (depth > deepest || reading > mostReading) return true
  }
  return false
}

const [openRound, closeRound, openCurly, closeCurly] = [40, 41, 123, 125]
