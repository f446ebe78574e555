import { allMatches } from './all-matches.ts'
import type { Language } from './language.ts'

const mostAliases = 20

/** Resolves `import subprocess as s`, `from os import system`, `f = os.system`, `{ execSync: e } = require(…)` to the library's names. */
export function withoutAliases(language: Language, text: string, strings: readonly string[]): string {
  const find = finders[language]
  let resolved = language === 'javascript' ? withoutRimraf(text, strings) : text
  for (const [alias, name, isCall] of find?.(text, strings).slice(0, mostAliases) ?? []) {
    if (alias === '' || alias === name) continue
    const escaped = alias.replace(/\$/g, '\\$')
    resolved = resolved.replace(new RegExp(`(?<![.\\w$])${escaped}${isCall ? '\\s*\\(' : '(?=\\s*[.,)])'}`, 'g'), () =>
      isCall ? `${name}(` : name,
    )
  }
  return resolved
}

/** `require("rimraf").sync(…)` */
function withoutRimraf(text: string, strings: readonly string[]): string {
  if (!strings.includes('rimraf')) return text
  return text.replace(/\brequire\s*\(\s*«(\d+)»\s*\)/g, (found, n: string) =>
    strings[Number(n)] === 'rimraf' ? 'rimraf' : found,
  )
}

/** An alias, what it stands for, and whether it is called. */
type Alias = readonly [alias: string, name: string, isCall: boolean]

const finders: Readonly<Partial<Record<Language, (text: string, strings: readonly string[]) => Alias[]>>> = {
  python: pythonAliases,
  javascript: scriptAliases,
  julia: text => assignedNames(text, /(?<![.\w])(\w+)\s*=\s*(rm|run|eval)\s*(?=[;\n]|$)/g),
  r: text => assignedNames(text, /(?<![.\w])(\w+)\s*(?:<-|=)\s*(unlink|system2?|file\.remove|shell)\s*(?=[;\n]|$)/g),
  lua: text =>
    allMatches(text, /(?<![.\w])(\w+)\s*=\s*((?:os|io)\.\w+|load|loadstring)(?![\w.(\s]*\()/g).map(
      ([, alias = '', name = '']): Alias => [alias, name, true],
    ),
}

function assignedNames(text: string, pattern: RegExp): Alias[] {
  return allMatches(text, pattern).map(([, alias = '', name = '']): Alias => [alias, name, true])
}

const pythonModules = 'os|subprocess|shutil|pathlib|pty|glob|builtins|posix|importlib|operator|functools'

const pythonImport = new RegExp(
  String.raw`(?:\bimport|,|\b(\w+)\s*=)\s*(${pythonModules})\b(?:\s+as\s+(\w+))?(?!\s*[.(\w])`,
  'g',
)
const pythonFrom =
  /\bfrom\s+(os|subprocess|shutil|pty|posix|importlib|operator|functools|tempfile)\s+import\s+([\w\s,]+)/g
const pythonFromAll = /\bfrom\s+(os|subprocess|shutil)\s+import\s*\*/g
const pythonFunction = new RegExp(
  String.raw`(?<![.\w])(\w+)\s*=\s*((?:(?:${pythonModules})\.\w+)|eval|exec|__import__|getattr)\s*(?=[;\n,)]|$)`,
  'g',
)

function pythonAliases(text: string): Alias[] {
  const modules = allMatches(text, pythonImport)
  const names = allMatches(text, pythonFrom)
  const functions = allMatches(text, pythonFunction)
  return [
    ...modules.flatMap(([, assigned, module = '', alias = assigned]): Alias[] =>
      alias === undefined ? [] : [[alias, module, false]],
    ),
    ...allMatches(text, pythonFromAll).flatMap(([, module = '']) =>
      (everyName[module] ?? []).map((name): Alias => [name, `${module}.${name}`, true]),
    ),
    ...names.flatMap(([, module = '', list = '']) =>
      list.split(',').map((item): Alias => {
        const [name = '', alias = name] = item.trim().split(/\s+as\s+|\s/)
        return [alias, `${module}.${name}`, true]
      }),
    ),
    ...functions.map(([, alias = '', name = '']): Alias => [alias, name, true]),
  ]
}

/** What `from module import *` brings along, of the names that matter. */
const everyName: Readonly<Record<string, readonly string[]>> = {
  os: ['system', 'popen', 'remove', 'unlink', 'rmdir', 'removedirs', 'execv', 'execvp', 'execl', 'execlp'],
  subprocess: ['run', 'call', 'check_call', 'check_output', 'Popen', 'getoutput'],
  shutil: ['move'],
}

const scriptCalls = '(?:exec|spawn|fork|rm|unlink|writeFile|appendFile|truncate|rename|chmod)\\w*|eval|Function'

const scriptRenamed = new RegExp(String.raw`\b(${scriptCalls})\s*(?::|\bas\b)\s*(\w+)`, 'g')
const scriptAssigned = new RegExp(
  String.raw`(?<![.\w])(\w+)\s*=\s*(?:[^;\n=,]{0,120}\.)?(${scriptCalls})\s*(?=[;\n,)]|$)`,
  'g',
)
const scriptModule =
  /(?:(?<![.\w])(\w+)\s*=\s*(?:await\s+)?(?:[\w.]+\.)?(?:require|import)\s*\(\s*|\bimport\s+(?:\*\s+as\s+)?(\w+)\s+from\s+)«(\d+)»/g
const scriptPromised = /\bimport\s*\(\s*«(\d+)»\s*\)\s*\.then\s*\(\s*(?:async\s*)?\(?\s*(\w+)\s*\)?\s*=>/g

function scriptAliases(text: string, strings: readonly string[]): Alias[] {
  const renamed = allMatches(text, scriptRenamed)
  const assigned = allMatches(text, scriptAssigned)
  const modules = allMatches(text, scriptModule)
  const promised = allMatches(text, scriptPromised)
  return [
    ...renamed.map(([, name = '', alias = '']): Alias => [alias, name, true]),
    ...assigned.map(([, alias = '', name = '']): Alias => [alias, name, true]),
    ...promised.flatMap(([, n, variable = '']): Alias[] =>
      /^(?:node:)?child_process$/.test(strings[Number(n)] ?? '') ? [[variable, 'child_process', false]] : [],
    ),
    ...modules.flatMap(([, variable, imported, n]): Alias[] =>
      /^(?:node:)?child_process$/.test(strings[Number(n)] ?? '')
        ? [[variable ?? imported ?? '', 'child_process', false]]
        : [],
    ),
  ]
}
