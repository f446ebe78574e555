import type { Language } from '../languages/language.ts'

export type ScriptLanguage = Language | 'shell'

/** The language of a file that is started itself, by its first line or else by its name; null if the guard does not read it. */
export function scriptLanguage(path: string, text: string): ScriptLanguage | null {
  const [, line] = /^#!([^\n]{0,200})/.exec(text) ?? []
  if (line !== undefined) return byInterpreter.find(([pattern]) => pattern.test(line))?.[1] ?? null
  const [, extension] = /[^/]\.([a-z]+)$/i.exec(path) ?? []
  // A shell runs what has no first line of that kind.
  return extension === undefined ? 'shell' : (byExtension.get(extension.toLowerCase()) ?? 'shell')
}

const byInterpreter: readonly (readonly [RegExp, ScriptLanguage])[] = [
  [/\b(ba|z|da|k|mk|a)?sh\b/, 'shell'],
  [/\b(python|pypy|uv)/, 'python'],
  [/\b(node|deno|bun|tsx|ts-node|zx)\b/, 'javascript'],
  [/\bruby/, 'ruby'],
  [/\bperl/, 'perl'],
  [/\bphp/, 'php'],
  [/\blua/, 'lua'],
  [/\bRscript\b/, 'r'],
  [/\bawk\b/, 'awk'],
  [/\bosascript\b/, 'applescript'],
]

const byExtension = new Map<string, ScriptLanguage>([
  ...['py', 'pyw'].map(end => [end, 'python'] as const),
  ...['js', 'mjs', 'cjs', 'ts', 'mts', 'cts', 'jsx', 'tsx'].map(end => [end, 'javascript'] as const),
  ['rb', 'ruby'],
  ['pl', 'perl'],
  ['php', 'php'],
  ['lua', 'lua'],
  ['r', 'r'],
])

/** What a package manager put there is nobody's script: it is large, compressed, and the same for everybody. */
export function isInstalledCode(path: string): boolean {
  return /\/(node_modules|site-packages|\.venv|venv|vendor|\.yarn|\.pnpm-store)\//.test(path)
}
