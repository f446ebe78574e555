import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, unknownText } from '../interpret/arguments.ts'
import { limits } from '../interpret/limits.ts'
import { reportDynamicCode } from '../interpret/unseen-code.ts'
import { withoutAliases } from './aliases.ts'
import { allMatches } from './all-matches.ts'
import { argumentsAt, receiverBefore } from './brackets.ts'
import type { CallPattern } from './calls/call-pattern.ts'
import { dangerousCalls } from './calls/index.ts'
import { withStaticNames } from './computed-names.ts'
import { Evaluator } from './evaluate.ts'
import { reportExhaustingCode } from './exhausting-code.ts'
import { checkForkBomb } from './fork-bombs.ts'
import type { Language } from './language.ts'
import { checkLoadedCode } from './loaded-code.ts'
import { checkNetworkUse } from './network-use.ts'
import { CallRunner } from './run-call.ts'
import { skeletonOf } from './skeleton.ts'
import { readVariables } from './variables.ts'

const mostCalls = 200
const mostRelated = 4_000

/**
 * Searches code in another language for dangerous calls and analyzes each as its equivalent in a shell: `shutil.rmtree(x)`
 * is `rm -r x`, `os.system(x)` is `sh -c x`, `open(x, 'w')` is `> x`. Rules therefore need not know languages.
 */
export function readCode(
  language: Language,
  code: Argument,
  frame: Frame,
  analysis: Analysis,
  { isFile = false } = {},
): void {
  analysis.countSteps(1 + code.value.length / 200)
  if (code.value === unknownText || code.value.length > 60_000 || frame.depth > limits.depth) {
    reportDynamicCode(code, frame, analysis)
    return
  }
  const skeleton = skeletonOf(language, code.value)
  const evaluator = new Evaluator(language, skeleton, analysis.context.home)
  skeleton.text = withoutAliases(language, skeleton.text, skeleton.strings)
  readVariables(skeleton.text, evaluator)
  const names = withStaticNames(language, withCommas(language, skeleton.text), evaluator)
  if (names.hasUnknown) reportDynamicCode(code, frame, analysis)
  if (names.text !== skeleton.text) {
    skeleton.text = withoutAliases(language, names.text, skeleton.strings)
    readVariables(skeleton.text, evaluator)
  }
  runCalls()
  // That two things stand in the same long file says nothing.
  if (isFile && code.value.length > mostRelated) return
  checkLoadedCode(skeleton, code, frame, analysis)
  checkNetworkUse(skeleton, code, frame, analysis)
  checkForkBomb(language, skeleton, code, analysis)
  reportExhaustingCode(skeleton, code.span, frame, analysis)

  function runCalls(): void {
    const whole = runnerFor(code)
    let count = 0
    for (const call of dangerousCalls[language]) {
      for (const match of allMatches(skeleton.text, call.pattern, mostCalls + 1)) {
        count += 1
        if (count > mostCalls) {
          reportDynamicCode(code, frame, analysis)
          return
        }
        analysis.countSteps()
        const end = match.index + match[0].length
        const runner = isFile ? runnerFor(lineOf(code, skeleton.text, match.index)) : whole
        if (call.as === 'rest' || call.as === 'delete-rest') runner.runLine(call.as, lineAt(skeleton.text, end))
        else {
          const values = valuesAt(call, match.index, end)
          // A program of some length computes nearly all of its paths.
          const isComputed =
            /^delete(-tree|-listed)?$/.test(call.as) && (values[0] ?? unknownText).startsWith(unknownText)
          if (!isFile || !isComputed) runner.run(call.as, values)
        }
      }
    }
  }

  function runnerFor(part: Argument): CallRunner {
    const around = { ...frame, span: isFile ? part.span : frame.span }
    return new CallRunner(language, evaluator, part, around, analysis, text =>
      readCode(language, { ...part, value: text }, { ...around, depth: frame.depth + 1 }, analysis),
    )
  }

  function valuesAt(call: CallPattern, from: number, end: number): string[] {
    const values = argumentsAt(skeleton.text, end).args.map(arg => evaluator.evaluate(arg))
    // `"~/x" |> Path.expand() |> File.rm_rf!()`
    const pipe = /(?:\|>|%>%)\s*$/.exec(skeleton.text.slice(Math.max(0, from - 20), from))
    if (pipe) return [pipedValue(from - pipe[0].length), ...values.filter(value => value !== unknownText)]
    if (!call.method) return values
    return [evaluator.evaluate(receiverBefore(skeleton.text, trimmedEnd(skeleton.text, from))), ...values]
  }

  /** The value that a chain of pipes hands on: each stage gets the one before as its first argument. */
  function pipedValue(end: number): string {
    const [first = '', ...stages] = statementBefore(skeleton.text, end).split(/\|>|%>%/)
    return stages.reduce((value, stage) => {
      skeleton.strings.push(value)
      const piped = `«${skeleton.strings.length - 1}»`
      return evaluator.evaluate(
        stage.replace(/\(\s*(\)?)/, (_, close?: string) => (close ? `(${piped})` : `(${piped}, `)),
      )
    }, evaluator.evaluate(first))
  }
}

/** The line of a file in which a call stands. */
function lineOf(file: Argument, skeleton: string, index: number): Argument {
  const breaks = skeleton.slice(0, index).match(/[\n\v]/g)?.length ?? 0
  let from = 0
  for (let i = 0; i < breaks; i += 1) from = file.value.indexOf('\n', from) + 1
  const [start] = file.span
  return { ...file, span: [start + from, start + from + 1] }
}

/** The code back to the beginning of the statement, at most some hundred characters. */
function statementBefore(text: string, end: number): string {
  const before = text.slice(Math.max(0, end - 400), end)
  return before.slice(before.search(/[^;\n=]*$/))
}

function trimmedEnd(text: string, end: number): number {
  let at = end
  while (at > 0 && at > end - 40 && /\s/.test(text[at - 1] ?? '')) at -= 1
  return at
}

/** Languages whose arguments follow each other without commas, and chains that collect them: `Command::new("rm").arg("-rf")`. */
function withCommas(language: Language, text: string): string {
  if (language === 'haskell') return text.replace(/(?<=[»\])])\s+(?=[«[(])/g, ', ')
  if (language === 'rust') return text.replace(/\)\s*\.args?\s*\(\s*&?\s*(?:vec!)?\s*\[?/g, ', ')
  return text
}

/** The rest of a command: up to the end of the line, a semicolon or a closing bracket. */
function lineAt(text: string, from: number): string {
  const rest = text.slice(from, from + 500)
  const end = rest.search(/[;\n\]}]/)
  return end < 0 ? rest : rest.slice(0, end)
}
