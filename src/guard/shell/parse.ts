import { parse } from 'unbash'
import { ScriptConversion } from './convert-script.ts'
import type { ShellScript, Span } from './syntax-tree.ts'

/** Parses shell code. Never throws: `errors` describes what it did not understand. */
export function parseShell(source: string, at: Span | null = null): ShellScript {
  if (nestsTooDeep(source)) return { body: [], errors: ['brackets nest too deeply'] }
  try {
    return new ScriptConversion(at).script(parse(source))
  } catch (error) {
    return { body: [], errors: [error instanceof Error ? error.message : String(error)] }
  }
}

const deepest = 64

/** The parser may read the rest again at each level, so the limit keeps its work linear. Quotes are ignored. */
function nestsTooDeep(source: string): boolean {
  let depth = 0
  for (let i = 0; i < source.length; i += 1) {
    const code = source.charCodeAt(i)
    if (code === openRound || code === openCurly) depth += 1
    else if ((code === closeRound || code === closeCurly) && depth > 0) depth -= 1
    if (depth > deepest) return true
  }
  return false
}

const [openRound, closeRound, openCurly, closeCurly] = [40, 41, 123, 125]
