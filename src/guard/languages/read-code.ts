import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, literal, unknownText } from '../interpret/arguments.ts'
import { decodeBase64, decodeHex } from '../interpret/decode.ts'
import { reportDynamicCode, reportRemoteCode } from '../interpret/unseen-code.ts'
import { dangerousCalls } from './dangerous-calls.ts'
import { evaluate, variablesOf } from './evaluate.ts'
import { checkNetworkUse } from './network-use.ts'
import { type Language, type Skeleton, skeletonOf } from './skeleton.ts'
import { sqlDangers } from './sql-dangers.ts'

const mostCalls = 200
const mostRelated = 4_000

/**
 * Searches code in another language for dangerous calls and analyzes each as its equivalent in a shell: `shutil.rmtree(x)`
 * is `rm -r x`, `os.system(x)` is `sh -c x`, `open(x, 'w')` is `> x`. Rules therefore need not know languages.
 */
export function readCode(
  language: Language,
  given: Argument,
  around: Frame,
  analysis: Analysis,
  { isFile = false } = {},
): void {
  // The part of the code that is being looked at.
  let [code, frame] = [given, around]
  analysis.countSteps(1 + code.value.length / 200)
  if (code.value === unknownText || code.value.length > 60_000) {
    reportDynamicCode(code, frame, analysis)
    return
  }
  const skeleton = skeletonOf(language, code.value)
  const variables = variablesOf(skeleton)
  let count = 0
  for (const { pattern, as } of dangerousCalls[language] ?? []) {
    for (const match of skeleton.text.matchAll(pattern)) {
      count += 1
      if (count > mostCalls) return
      analysis.countSteps()
      if (isFile) {
        code = lineOf(given, skeleton, match.index ?? 0)
        frame = { ...around, span: code.span }
      }
      const args = argumentsAt(skeleton.text, (match.index ?? 0) + match[0].length)
      const values = args.map(arg => evaluate(arg, skeleton, variables, analysis.context.home))
      const own = match.groups?.own
      if (own !== undefined) values.unshift(evaluate(own, skeleton, variables, analysis.context.home))
      run(as, values)
    }
  }
  ;[code, frame] = [given, around]
  // That two things stand in the same long file says nothing.
  if (isFile && code.value.length > mostRelated) return
  checkLoadedCode()
  checkNetworkUse(skeleton, code, frame, analysis)

  function run(as: string, values: readonly string[]) {
    const [first = unknownText] = values
    const span = code.span
    const words = (...texts: string[]) => texts.map(text => literal(text, span))
    // A program of some length computes nearly all of its paths.
    if (isFile && (as === 'delete' || as === 'delete-tree') && first.startsWith(unknownText)) return
    if (as === 'delete-tree') analysis.runProgram(words('rm', '-r', first), frame)
    // `for f in listdir("/etc"): remove(f)` may delete in any folder that the code names.
    else if (as === 'delete' && first === unknownText)
      analysis.runProgram(words('rm', ...skeleton.strings.filter(isFarPath)), frame)
    else if (as === 'delete') analysis.runProgram(words('rm', first), frame)
    else if (as === 'write') {
      if (/[wax+]/.test(values[1] ?? '')) analysis.runProgram(words('>>', first), frame)
    } else if (as === 'overwrite') analysis.runProgram(words('>>', first), frame)
    else if (as === 'chmod') analysis.runProgram(words('chmod', values[1] ?? '', first), frame)
    else if (as === 'move') analysis.runProgram(words('mv', first, values[1] ?? unknownText), frame)
    else if (as === 'shell') shell(first)
    else if (as === 'argv') argv(values)
    else if (as === 'sql') sql(first)
    else if (as === 'delete-data') reportDeletedData()
    else if (as === 'eval') evalCode(first)
  }

  function shell(text: string) {
    if (text === unknownText) reportDynamicCode(code, frame, analysis)
    else analysis.runShellCode(text, code.span, frame)
  }

  /** A list is a program and its arguments; a string is a command line or a program. */
  function argv(values: readonly string[]) {
    const [first = unknownText] = values
    if (first.startsWith('\x01')) {
      const words = first.slice(1).split('\x01')
      analysis.runProgram(
        words.map(text => literal(text, code.span)),
        frame,
      )
    } else if (/\s/.test(first)) shell(first)
    else if (first === unknownText) reportDynamicCode(code, frame, analysis)
    else {
      const rest = values.slice(1).flatMap(value => (value.startsWith('\x01') ? value.slice(1).split('\x01') : [value]))
      analysis.runProgram(
        [first, ...rest].map(text => literal(text, code.span)),
        frame,
      )
    }
  }

  function sql(text: string) {
    for (const { kind, message, severity } of sqlDangers(text)) {
      analysis.report({ rule: `db/${kind}`, message, span: code.span, verdict: 'ask', severity, safer: null })
    }
  }

  function reportDeletedData() {
    const message = 'deletes data in a database or the cloud from code'
    analysis.report({
      rule: 'db/code-deletes',
      message,
      span: code.span,
      verdict: 'ask',
      severity: 'critical',
      safer: null,
    })
  }

  function evalCode(text: string) {
    const decoded = decodeBase64(text) ?? decodeHex(text)
    if (decoded !== null && text.length >= 12 && /base64|b64|hex|atob|pack|decode/i.test(skeleton.text))
      readCode(language, { ...code, value: decoded }, frame, analysis)
    else if (text === unknownText) reportDynamicCode(code, frame, analysis)
    else readCode(language, { ...code, value: text }, { ...frame, depth: frame.depth + 1 }, analysis)
  }

  /** Reports exec(urlopen(…).read()), eval(await (await fetch(…)).text()), and a shell on a socket. */
  function checkLoadedCode() {
    const { text } = skeleton
    const runs =
      /(?<![\w.])(exec|eval|compile)\s*\(|new\s+Function|runInThisContext|instance_eval|(pickle|marshal|dill)\.loads|__import__\([^)]*\)\.system/
    if (
      (fetchesCode.test(text) && runs.test(text)) ||
      (/\bsocket\b|TCPSocket|net\.(connect|Socket)|fsockopen|IO::Socket/.test(text) && shellOnSocket.test(text))
    ) {
      reportRemoteCode(code, frame, analysis)
    }
  }
}

/** The line of a file in which a call stands. */
function lineOf(file: Argument, { text }: Skeleton, index: number): Argument {
  const breaks = text.slice(0, index).match(/[\n\v]/g)?.length ?? 0
  let from = 0
  for (let i = 0; i < breaks; i += 1) from = file.value.indexOf('\n', from) + 1
  const [start] = file.span
  return { ...file, span: [start + from, start + from + 1] }
}

function isFarPath(text: string): boolean {
  return /^(\/|~)[\w./*~-]*$/.test(text)
}

const fetchesCode =
  /\b(urlopen|urlretrieve|requests\.(get|post)|httpx\.|http\.client|fetch\s*\(|https?\.(get|request)|axios|open-uri|URI\.open|Net::HTTP|LWP::|file_get_contents\s*\(|curl_exec)/
const shellOnSocket = /\b(dup2|pty\.spawn|subprocess|child_process|exec|spawn|proc_open|popen|system)\b/

/** The arguments of a call, split at commas outside brackets; `from` is just after the opening bracket. */
function argumentsAt(text: string, from: number): string[] {
  const args: string[] = []
  let depth = 0
  let start = from
  const end = Math.min(text.length, from + 2_000)
  // Between brackets, a line break ends nothing.
  const isOpen = text[from - 1] === '('
  for (let i = from; i < end; i += 1) {
    const char = text[i] ?? ''
    if ('([{'.includes(char)) depth += 1
    else if (')]}'.includes(char)) {
      depth -= 1
      if (depth < 0) return finish(i)
    } else if (char === ',' && depth === 0) {
      args.push(text.slice(start, i))
      start = i + 1
    } else if ((char === ';' || (char === '\n' && !isOpen)) && depth === 0) return finish(i)
  }
  return finish(end)

  function finish(at: number): string[] {
    args.push(text.slice(start, at))
    return args
  }
}
