import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'
import type { Analysis } from './analysis.ts'
import { type Argument, isStdin, origins, unknownText } from './arguments.ts'
import { fileStream } from './files.ts'
import { isShell } from './is-shell.ts'
import { reportDynamicCode } from './unseen-code.ts'

// By interpreter: the options with which it still reads its code from stdin or a terminal.
const plainOptions: Readonly<Record<string, RegExp>> = {
  python: /^-[bBdEiIOqsSuvx]+$/,
  ipython: /^--(no-banner|simple-prompt|quick|classic|no-confirm-exit)$/,
  node: /^(-i|--interactive)$/,
  deno: /^repl$/,
  php: /^-a$/,
  lua: /^-i$/,
  irb: /^--?(f|simple-prompt|noecho|nomultiline)$/,
  julia: /^-[iq]$/,
  r: /^--(no-save|vanilla|quiet|slave|no-restore|interactive)$|^-q$/,
  jshell: /^-s$/,
  pwsh: /^-(nop|noprofile|nologo|noexit|noni|noninteractive)$/i,
  ghci: /^-ignore-dot-ghci$/,
}
const aliases: Readonly<Record<string, string>> = {
  nodejs: 'node',
  tsx: 'node',
  'ts-node': 'node',
  pypy: 'python',
  luajit: 'lua',
  powershell: 'pwsh',
  bpython: 'python',
  ptpython: 'python',
}
const others = new Set(
  list(
    'ruby perl pry iex clojure clj sbcl clisp erl tclsh wish ocaml utop racket guile gosh octave scala groovysh osascript rscript xonsh nu elvish swift ghc bsh jjs qjs gjs d8 gore evcxr bb',
  ),
)
const shellOptions = /^(-[abefhiklmprstuvxBCEHPT]+|--(login|norc|noprofile|posix|restricted|interactive|verbose))$/

/**
 * Asks about an interpreter whose code nobody has seen: it reads what another program writes, or what is typed into it
 * later. In a container or on another machine, a shell is where people look around, and what they type is judged there.
 */
export function reportUnseenInput(call: ProgramCall, analysis: Analysis): void {
  const { frame, args } = call
  if (!readsCode(call) || frame.scope.isRemote) return
  const generated = args.find(isSubstitution)
  const stdin = generated ? fileStream(generated, frame.scope) : call.stdin
  if (stdin.isTerminal) {
    analysis.report({
      rule: 'shell/unseen-input',
      message: 'starts an interpreter that runs whatever is typed into it later',
      span: frame.span,
      verdict: 'ask',
      severity: 'medium',
      safer: 'pass the code as an argument',
    })
  } else if (
    !isShell(call.program) &&
    !(stdin.from & origins.network) &&
    stdin.file === undefined &&
    isUnknown(stdin.text)
  ) {
    reportDynamicCode(args[0] ?? { span: frame.span }, frame, analysis)
  }
}

function readsCode({ program, args }: ProgramCall): boolean {
  const name = /\d$/.test(program) ? program.replace(/^(python|pypy|ruby|perl|php|lua)[\d.]+$/, '$1') : program
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name
  const plain = isShell(name) ? shellOptions : Object.hasOwn(plainOptions, known) ? plainOptions[known] : undefined
  if (plain === undefined && !others.has(name)) return false
  const at = args.findIndex(arg => isStdin(arg) || isSubstitution(arg))
  return (at < 0 ? args : args.slice(0, at)).every(({ value }) => plain?.test(value) ?? false)
}

/** `python3 <(program)`. */
function isSubstitution({ value }: Argument): boolean {
  return value.startsWith(`/dev/fd/${unknownText}`)
}

function isUnknown(text: string | null): boolean {
  return text === null || (text !== '' && /^\0+$/.test(text.trim()))
}
