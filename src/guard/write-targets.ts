import type { Argument } from './interpret/arguments.ts'
import type { ProgramCall } from './program-call.ts'

/** The files or folders that a call's arguments name as targets. */
export function writeTargets(call: ProgramCall): readonly Argument[] {
  const { operands, program } = call
  switch (program) {
    case '>':
    case '>>':
    case 'tee':
    case 'ed':
    case 'ex':
    case 'visudo':
    case 'set-content':
    case 'add-content':
    case 'out-file':
      return operands
    case 'cp':
    case 'gcp':
    case 'mv':
    case 'gmv':
    case 'ln':
    case 'install':
      return lastOperandOr(call, '-t', '--target-directory')
    case 'rsync':
    case 'scp':
      return operands.length > 1 && !/^[^/]*:/.test(operands.at(-1)?.value ?? '') ? operands.slice(-1) : []
    case 'sed':
    case 'gsed': {
      if (!call.parsed.options.some(({ name }) => name === '-i' || name === '--in-place')) return []
      return call.has('-e', '--expression', '-f', '--file') ? operands : operands.slice(1)
    }
    case 'perl':
      return call.parsed.options.some(({ name }) => name === '-i') ? operands : []
    case 'curl':
      return call.values('-o', '--output', '--output-dir')
    case 'aria2c':
      return call.values('-o', '--out')
    case 'wget':
      return call.values('-O', '--output-document', '-P', '--directory-prefix')
    case 'dd':
    case 'gdd':
    case 'dcfldd':
    case 'dc3dd':
      return call.args.flatMap(arg => {
        // Bash expands `~` after `=`, even in an argument.
        const file = arg.value.slice(3).replace(/^~(?=\/|$)/, call.context.home)
        return arg.value.startsWith('of=') ? [{ ...arg, value: file }] : []
      })
    case 'tar':
    case 'bsdtar': {
      const [first] = call.args
      const extracts = call.has('-x', '--extract', '--get') || /^[a-z]*x/.test(first?.value ?? '')
      return extracts ? call.values('-C', '--directory') : []
    }
    case 'unzip':
      return call.values('-d')
    default:
      return []
  }
}

function lastOperandOr(call: ProgramCall, ...options: string[]): readonly Argument[] {
  const target = call.value(...options)
  if (target) return [target]
  return call.operands.length > 1 ? call.operands.slice(-1) : []
}
