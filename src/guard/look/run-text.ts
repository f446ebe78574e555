import type { Analysis } from '../interpret/analysis.ts'
import type { ProgramCall } from '../program-call.ts'
import type { Span } from '../shell/syntax-tree.ts'
import type { LookedFile } from './looked-files.ts'

/** A script that is a part of a file: of package.json, of a makefile. */
export interface ScriptText {
  readonly file: LookedFile
  readonly text: string
  readonly span: Span
  /** Its name in the file. */
  readonly part: string
  /** Where it runs. */
  readonly cwd: string
}

/** Analyzes it as shell code, once for the same text. */
export function runText({ file, text, span, part, cwd }: ScriptText, { frame }: ProgramCall, analysis: Analysis): void {
  if (!analysis.files?.visit(file, `${part}\0${cwd}\0${text}`)) return
  const scope = frame.scope.copy()
  scope.cwd = cwd
  scope.stdin = frame.stdin
  for (const [name, value] of frame.env) scope.set(name, value)
  analysis.lookInside(() => analysis.runShellCode(text, span, { ...frame, scope, span, via: [] }))
}
