import { unknownText } from '../interpret/arguments.ts'
import { allMatches } from './all-matches.ts'
import { argumentsAt, receiverBefore } from './brackets.ts'
import type { Rewrite } from './called-names.ts'
import type { Evaluator } from './evaluate.ts'
import type { Language } from './language.ts'
import { lispCalls } from './lisp-calls.ts'
import { rewrites } from './name-rewrites.ts'

const mostNames = 60

/** What a program calls by a computed name; null if nothing is known of it. */
interface StaticNames {
  text: string
  /** Whether a function of the system is called by a name that is known only at run time. */
  hasUnknown: boolean
}

/** Writes names that are computed as they would be written plainly: `getattr(os, "sys" + "tem")` becomes `os.system`. */
export function withStaticNames(language: Language, source: string, evaluator: Evaluator): StaticNames {
  const names: StaticNames = { text: language === 'lisp' ? lispCalls(source) : source, hasUnknown: false }
  const prefix = prefixes[language]
  if (prefix) names.text = names.text.replace(prefix, '')
  for (const rewrite of rewrites[language] ?? []) {
    // `_G["os"]["execute"]` takes two rounds.
    for (let round = 0, before = ''; round < 6 && before !== names.text; round += 1) {
      before = names.text
      names.text = applied(rewrite, names, evaluator)
      if (!rewrite.owned) break
    }
  }
  if (prefix) names.text = names.text.replace(prefix, '')
  // Object.values(require('child_process'))[2]('…')
  if (language === 'javascript' && picksFunction.test(names.text) && evaluator.skeleton.strings.some(isProcessModule))
    names.hasUnknown = true
  // (function ($f) { $f("…"); })("system")
  if (language === 'php' && /(?:\$\w+|\])\s*\(/.test(names.text) && evaluator.skeleton.strings.some(isSystemName))
    names.hasUnknown = true
  // A function that is handed over is called: `map(os.remove, files)`.
  const reference = references[language]
  if (reference) names.text = names.text.replace(reference, '$1(')
  return names
}

/** What may stand before a function's name without changing it. */
const prefixes: Readonly<Partial<Record<Language, RegExp>>> = {
  python: /(?<![.\w])(?:builtins|__builtins__)\./g,
  javascript: /(?<![.\w])(?:globalThis|global|window|self)\./g,
  ruby: /(?<![.\w])(?:::)?(?:Kernel|Object|self)\./g,
  perl: /\bCORE::(?:GLOBAL::)?/g,
  php: /(?<![\w\\])\\(?=\w)/g,
  r: /\b(?:base|utils)::/g,
  lua: /(?<![.\w])_G\./g,
  elixir: /(?<![.\w])(?:Elixir|Kernel)\./g,
  julia: /(?<![.\w])(?:Main|Base)\.(?=\w)/g,
}

const references: Readonly<Partial<Record<Language, RegExp>>> = {
  python:
    /\b(os\.(?:system|popen|remove|unlink|rmdir|removedirs|exec\w{1,4}|startfile)|shutil\.(?:rmtree|move)|subprocess\.(?:run|call|check_call|check_output|Popen|getoutput))\s*,/g,
  ruby: /\b(system|exec|spawn|eval|IO\.popen|FileUtils\.\w+|File\.(?:delete|unlink|write))\s*(?:\.(?:call\s*)?\(|(?:===\s*|\[)(?=«))/g,
  elixir: /&?(:os\.cmd|System\.(?:cmd|shell)|File\.rm(?:_rf)?!?|Code\.eval_string)(?:\/\d)?\s*\)?\s*\.\(/g,
  perl: /\b(system|exec|unlink|eval|rmtree)\s*->\s*\(/g,
  julia: /\(\s*(rm|run|eval)\s*\)\s*\(/g,
  php: /\(\s*(\w+)\s*\)\s*->\s*invoke(?:Args)?\s*\(\s*\[?/g,
}

function applied({ pattern, as, owned }: Rewrite, names: StaticNames, evaluator: Evaluator): string {
  const { text } = names
  let written = ''
  let done = 0
  let count = 0
  for (const match of allMatches(text, pattern, 4 * mostNames)) {
    const at = match.index
    if (at < done) continue
    count += 1
    if (count > mostNames) break
    const { args, end } = argumentsAt(text, at + match[0].length)
    const owner = owned ? receiverBefore(text, at) : ''
    const from = at - owner.length
    if (from < done) continue
    const values = args.map(arg => evaluator.evaluate(arg))
    const plain = as({
      args,
      values,
      owner,
      match,
      rest: text.slice(end + 1, end + 300),
      variables: evaluator.variables,
    })
    if (plain === null) {
      if (isSystemCall(owner || (args[0] ?? ''), text.slice(end + 1, end + 3), values)) names.hasUnknown = true
      continue
    }
    // What follows a name in brackets stays; a call keeps its own closing bracket.
    written += text.slice(done, from) + plain
    done = isOpen(plain) ? end : end + 1
  }
  return written + text.slice(done)
}

const picksFunction =
  /\bObject\.(?:values|entries|keys)\s*\(\s*(?:require|child_process)\b|\{\s*\[[^\]\n]{1,200}\]\s*:\s*\w+\s*\}\s*=/

function isProcessModule(text: string): boolean {
  return /^(?:node:)?child_process$/.test(text)
}

function isSystemName(text: string): boolean {
  return /^\\?(?:system|exec|shell_exec|passthru|popen|proc_open|pcntl_exec|assert|unlink|rmdir|create_function)$/i.test(
    text,
  )
}

function isOpen(code: string): boolean {
  return code.split('(').length > code.split(')').length
}

/** `getattr(os, name)(…)` */
function isSystemCall(owner: string, after: string, values: readonly string[]): boolean {
  return (
    /^\s*(?:os|subprocess|shutil|builtins|__builtins__|child_process|Kernel|FileUtils)\s*$/.test(owner) &&
    /^\s*\(/.test(after) &&
    values.includes(unknownText)
  )
}
