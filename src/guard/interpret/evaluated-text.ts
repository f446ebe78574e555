import type { Span } from '../shell/syntax-tree.ts'
import type { Analysis, Frame } from './analysis.ts'
import type { Scope } from './scope.ts'

/** Text that a shell expands though it stands in a variable or in quotes: prompts, subscripts, arithmetic. */
export interface EvaluatedText {
  text: string
  span: Span
}

/** Runs the substitutions of a prompt or a trace: PS1, PS4, `${x@P}`, compgen -W. */
export function runPrompt({ text, span }: EvaluatedText, analysis: Analysis, frame: Frame): void {
  // \044 is a dollar sign: a prompt's escapes come before its expansions.
  const decoded = text.includes('\\')
    ? text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
    : text
  if (!hasSubstitution(decoded)) return
  analysis.countCharacters(decoded.length)
  // A here-document is expanded as a prompt is, and quotes in it mean nothing.
  const end = `END_OF_${decoded.length}`
  const inner = { ...frame, scope: frame.scope.copy(), shown: false }
  analysis.runShellCode(`: <<${end}\n${decoded}\n${end}\n`, span, inner)
}

/**
 * Runs what the evaluation of arithmetic runs: `i='a[$(rm x)]'; echo $((i))` deletes x. Names are looked up and their values
 * evaluated in turn.
 */
export function evaluateArithmetic(
  { text, span }: EvaluatedText,
  analysis: Analysis,
  scope: Scope,
  frame: Frame,
  depth = 0,
): void {
  if (hasSubstitution(text)) runPrompt({ text, span }, analysis, { ...frame, scope })
  if (depth > deepest) return
  for (const name of new Set(text.slice(0, longest).match(/[A-Za-z_]\w*/g))) {
    const value = scope.variables.get(name)?.text
    // Numbers, and whatever only names itself, run nothing.
    if (value === undefined || value === name || !/[A-Za-z_`$]/.test(value)) continue
    analysis.countCharacters(value.length)
    evaluateArithmetic({ text: value, span }, analysis, scope, frame, depth + 1)
  }
}

/** Names that lead to names. */
const deepest = 3
const longest = 1_000

export function hasSubstitution(text: string): boolean {
  return text.includes('$(') || text.includes('`')
}
