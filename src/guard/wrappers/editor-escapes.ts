import type { Argument } from '../interpret/arguments.ts'
import type { ProgramCall } from '../program-call.ts'
import { captured, type Finder, quoted, stdinLines, valuesOf } from './find-code.ts'

/** Editors run shell commands: `-c ':!command'`, `+!command`, a script on stdin, functions of their own language. */
export const editorEscapes: Readonly<Record<string, Finder>> = {
  'vi vim nvim view vimdiff nvimdiff ex rvim gvim mvim vimtutor': vim,
  'ed red': call => [...call.operands, ...stdinLines(call)].flatMap(readEdCommand),
  'emacs emacsclient xemacs': call => valuesOf(call, '--eval', '-eval', '--execute', '-e').flatMap(readLisp),
  nano: call => valuesOf(call, '-s', '--speller'),
}

function vim(call: ProgramCall): readonly Argument[] {
  const { args } = call
  const given = args.flatMap((arg, i) => {
    if (arg.value.startsWith('+')) return [{ ...arg, value: arg.value.slice(1) }]
    return ['-c', '--cmd', '-S'].includes(args[i - 1]?.value ?? '') ? [arg] : []
  })
  // In Ex mode, commands come from stdin.
  const isScript = call.program === 'ex' || args.some(({ value }) => /^-[a-zA-Z]*e[a-zA-Z]*$/.test(value))
  return [...given, ...(isScript ? stdinLines(call) : [])].flatMap(readExCommand)
}

const languages: Readonly<Record<string, string>> = {
  lua: 'lua -e',
  luado: 'lua -e',
  py: 'python3 -c',
  py3: 'python3 -c',
  python: 'python3 -c',
  python3: 'python3 -c',
  pythonx: 'python3 -c',
  pyx: 'python3 -c',
  ruby: 'ruby -e',
  rub: 'ruby -e',
  perl: 'perl -e',
  perldo: 'perl -e',
}

/** What one command line of Vim runs in a shell. */
function readExCommand(command: Argument): Argument[] {
  const text = command.value
    .trimStart()
    .replace(/^:+\s*/, '')
    .replace(/^(?:sil(?:ent)?!?\s+)+/, '')
  const arg = { ...command, value: text }
  const code = /^(\w+)!?\s+(.*)$/s.exec(text)
  const language = code && Object.hasOwn(languages, code[1] ?? '') ? languages[code[1] ?? ''] : undefined
  return [
    ...(language === undefined ? [] : [{ ...arg, value: `${language} ${quoted(code?.[2] ?? '')}` }]),
    ...captured(arg, /^(?:[%.$\d,'<>]*\s*)?(?:r(?:ead)?\s*|w(?:rite)?\s*)?!\s*(.*)$/s),
    ...captured(arg, /^(?:ter(?:minal)?|term|start(?:job)?)!?\s+(.*)$/s),
    ...captured(arg, /^au(?:tocmd)?\s[^!]*!\s*(.*)$/s),
    ...captured(arg, /^exe(?:cute)?\s+["']:?(?:sil\w*!?\s+)?!\s*([^"']*)/s),
    ...captured(
      arg,
      /\b(?:system|systemlist|jobstart|job_start|termopen|term_start)\s*\(\s*(?:\[\s*)?(?:"([^"]*)"|'([^']*)')/s,
    ),
    ...paths(arg, /\bdelete\s*\(\s*(?:expand\s*\(\s*)?["']([^"']*)["']\s*\)?\s*(,\s*["']rf["'])?/, 'rm -r'),
    ...paths(arg, /\bwritefile\s*\(.{0,200},\s*(?:expand\s*\(\s*)?["']([/~][^"']*)["']/, ': >'),
    ...paths(arg, /^(?:[%\d,]*w(?:rite)?|sav(?:eas)?|wq|x)!?\s+([/~]\S*)/, ': >'),
  ]
}

/** `delete("~/x", "rf")` is `rm -r ~/x`. */
function paths(arg: Argument, pattern: RegExp, program: string): Argument[] {
  return captured(arg, pattern).map(({ value, ...path }) => {
    const file = value.startsWith('~/') || value === '~' ? value.slice(1) : value
    return { ...path, value: `${program} ${file === value ? '' : '"$HOME"'}${quoted(file)}` }
  })
}

/** `!command`, `r !command`, `w !command`; `w file` writes the buffer. */
function readEdCommand(arg: Argument): Argument[] {
  return [
    ...captured(arg, /^[\d,$.;%]*\s*(?:[reEwW]\s*)?!\s*(.*)$/s),
    ...paths(arg, /^[\d,$.;%]*\s*[wW]q?\s+([/~]\S*)/, ': >'),
  ]
}

function readLisp(arg: Argument): Argument[] {
  const shell =
    /\((?:shell-command(?:-to-string)?|async-shell-command|call-process-shell-command|compile|start-process-shell-command\s+"[^"]*"\s+\S+)\s+"([^"]*)"/
  const program =
    /\((?:call-process|process-file|start-process\s+"[^"]*"\s+\S+|make-process[^"]{0,200})\s+("(?:[^"\\]|\\.)*"[^)]{0,500})\)/
  return [
    ...captured(arg, shell),
    ...captured(arg, program).map(code => ({
      ...code,
      value: (code.value.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map(word => quoted(word.slice(1, -1))).join(' '),
    })),
  ]
}
