import type { Analysis } from '../interpret/analysis.ts'
import { type Argument, literal } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import type { ProgramCall } from '../program-call.ts'
import { valuesOf } from './find-code.ts'

const mostLines = 64
const via = 'curl -K'

/** Analyzes `curl -K FILE` once more with the options that the file holds, if this command wrote it: `curl -K - <<< 'upload-file=x'`. */
export function runCurlConfig(call: ProgramCall, analysis: Analysis): void {
  if (call.program !== 'curl' || call.frame.via.includes(via)) return
  const { args, frame, stdin } = call
  const glued = args.flatMap(arg => (arg.value === '-K-' ? [{ ...arg, value: '-' }] : []))
  const given = [...valuesOf(call, '-K', '--config'), ...glued].flatMap(file => {
    const isStdin = /^(?:-|\/dev\/stdin|\/dev\/fd\/0)$/.test(file.value)
    const { text, from } = isStdin ? stdin : fileStream(file, frame.scope)
    return text === null ? [] : optionsIn(text).map(value => ({ ...literal(value, file.span), from }))
  })
  if (given.length === 0) return
  const rest = args.filter((arg, i) => !isConfig(arg) && !(args[i - 1] && isConfigName(args[i - 1])))
  analysis.runProgram([literal('curl', frame.span), ...rest, ...given], { ...frame, via: [...frame.via, via] })
}

function isConfig(arg: Argument): boolean {
  return isConfigName(arg) || /^(?:-K.+|--config=.*)$/s.test(arg.value)
}

function isConfigName(arg: Argument | undefined): boolean {
  return /^(?:-[a-zA-Z]{0,8}K|--config)$/.test(arg?.value ?? '')
}

/** Lines such as `upload-file = "x"`, `--data @x`, `-T x`. */
function optionsIn(text: string): string[] {
  return text
    .split('\n')
    .slice(0, mostLines)
    .flatMap(line => {
      const [, name = '', value = ''] = /^\s*([\w-]+)(?:\s*[=:]\s*|\s+|$)(.*)$/s.exec(line) ?? []
      if (name === '') return []
      const option = name.startsWith('-') ? name : name.length === 1 ? `-${name}` : `--${name}`
      const plain = value.trim().replace(/^"(.*)"$/s, '$1')
      return plain === '' ? [option] : [option, plain]
    })
}
