import { parse } from 'unbash'
import { ScriptConversion } from './convert-script.ts'
import type { ShellScript, Span } from './syntax-tree.ts'

/** The one place that knows the parser. Never throws: what is not understood is in `errors`. */
export function parseShell(source: string, at: Span | null = null): ShellScript {
  if (nestsTooDeep(source)) return { body: [], errors: ['brackets nest too deeply'] }
  try {
    return new ScriptConversion(at).script(parse(source))
  } catch (error) {
    return { body: [], errors: [error instanceof Error ? error.message : String(error)] }
  }
}

const deepest = 64

/** Each level may make the parser read all the rest again: this keeps its work linear. Quotes are not looked at. */
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
