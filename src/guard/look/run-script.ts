import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, isKnown, literal, texts } from '../interpret/arguments.ts'
import { limits } from '../interpret/limits.ts'
import type { Stream } from '../interpret/streams.ts'
import { readCode } from '../languages/read-code.ts'
import { absolute } from '../paths.ts'
import { type LookedFile, spanIn } from './looked-files.ts'
import { isInstalledCode, type ScriptLanguage, scriptLanguage } from './script-language.ts'

export interface ScriptRun {
  /** Its arguments; null for `source x`, which leaves the shell's own as they are. */
  args: readonly Argument[] | null
  /** What runs it; by default, its first line or its name says. */
  language?: ScriptLanguage
}

/** Analyzes a script that the command runs, in its directory. Null if the script stays unknown. */
export function runScript(script: Argument, run: ScriptRun, frame: Frame, analysis: Analysis): Stream | null {
  const file = openFile(script.value, script, frame, analysis)
  return file && runFile(file, run, frame, analysis)
}

/** Opens a file by a path that may be relative; null if it stays unknown. */
export function openFile(path: string, at: Argument, frame: Frame, analysis: Analysis): LookedFile | null {
  // On another machine and in a container the path means another file.
  if (!analysis.files || frame.scope.isRemote || frame.depth >= limits.depth || at.glob || !isKnown(at)) return null
  const full = absolute(path, frame.scope.cwd)
  return full === null ? null : analysis.files.open(full, at.span[0] === at.span[1] ? frame.span : at.span)
}

export function runFile(
  file: LookedFile,
  { args, language: given }: ScriptRun,
  frame: Frame,
  analysis: Analysis,
): Stream | null {
  const language = given ?? scriptLanguage(file.path, file.text)
  if (language === null || (language !== 'shell' && isInstalledCode(file.path))) return null
  // A script that is sourced defines functions for the script around it, once for each of them.
  const around = frame.scope.variables.get('BASH_SOURCE')?.text ?? ''
  const part = args ? JSON.stringify([language, frame.scope.cwd, texts(args)]) : `source ${around}`
  if (!analysis.files?.visit(file, part)) return null
  const inner = { ...frame, span: spanIn(file, 0, file.text.length), via: [] }
  return analysis.lookInside(() => {
    if (language === 'shell') return runShellScript(file, args, inner, analysis)
    const code = literal(file.text, spanIn(file, 0, file.text.length))
    readCode(language, code, { ...inner, depth: frame.depth + 1 }, analysis, { isFile: true })
    return { text: null, from: 0, pathPattern: null }
  })
}

function runShellScript(file: LookedFile, args: readonly Argument[] | null, frame: Frame, analysis: Analysis): Stream {
  const scope = args ? frame.scope.copy() : frame.scope
  const own = literal(file.path, frame.span)
  if (args) {
    scope.positional = args
    scope.scriptName = own
    scope.stdin = frame.stdin
    for (const [name, value] of frame.env) scope.set(name, value)
  }
  const before = scope.variables.get('BASH_SOURCE')
  scope.set('BASH_SOURCE', { text: file.path, from: 0, glob: false, list: [own] })
  const written = analysis.runShellFile(file, { ...frame, scope })
  if (before) scope.set('BASH_SOURCE', before)
  return written
}
