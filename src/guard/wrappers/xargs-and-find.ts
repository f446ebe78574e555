import type { Analysis, Frame } from '../interpret/analysis.ts'
import { type Argument, literal, texts, unknownText } from '../interpret/arguments.ts'
import { findPattern, findRoots } from '../interpret/find-paths.ts'
import { replaceCounted } from '../interpret/replace-counted.ts'
import { runCode } from '../interpret/shells.ts'
import { emptyStream, type Stream, unknownStream } from '../interpret/streams.ts'
import { parseArgs } from '../parse-args.ts'
import type { ProgramCall } from '../program-call.ts'
import { list } from '../word-list.ts'

/** Programs that run a command for names they read or find: xargs, parallel, find -exec, fd -x. */
export function runForEachName(call: ProgramCall, analysis: Analysis): Stream | null {
  switch (call.program) {
    case 'xargs':
    case 'gxargs':
      return xargs(call, analysis)
    case 'parallel':
    case 'rush':
      return parallel(call, analysis)
    case 'find':
    case 'gfind':
    case 'bfs':
      return find(call, analysis)
    case 'fd':
    case 'fdfind':
      return fd(call, analysis)
    default:
      return null
  }
}

function xargs(call: ProgramCall, analysis: Analysis): Stream {
  const values = list(
    '-I -n -P -d -L -s -E -a -J -R --max-args --max-procs --delimiter --max-lines --arg-file --replace --eof',
  )
  const { options, operands } = parseArgs(call.args, { values, posix: true })
  const token = options.findLast(({ name }) => ['-I', '-J', '-i', '--replace'].includes(name))
  const byLine =
    token !== undefined || options.some(({ name }) => ['-0', '--null', '-d', '--delimiter', '-L'].includes(name))
  const fromFile = options.some(({ name }) => name === '-a' || name === '--arg-file')
  const names = namesOf(fromFile ? unknownStream : call.stdin, call, byLine)
  const inner = operands.length > 0 ? operands : [literal('echo', call.frame.span)]
  const via = { ...call.frame, stdin: emptyStream, via: [...call.frame.via, 'xargs'] }
  if (token) {
    const placeholder = token.value?.value ?? '{}'
    // Even with nothing known on stdin, it runs for whatever arrives there.
    const given = names.length > 0 ? names : [{ ...literal(unknownText, call.frame.span), from: call.stdin.from }]
    for (const name of given) analysis.runProgram(substitute(inner, placeholder, name, analysis), via)
    return unknownStream
  }
  // How xargs groups the names is unknown, so one call gets all of them.
  return analysis.runProgram([...inner, ...names], via)
}

function parallel(call: ProgramCall, analysis: Analysis): Stream {
  const values = list(
    '-j -P --jobs -a --arg-file -d --delimiter -I -N -n -L -S --sshlogin --joblog --results --timeout --retries --tmpdir -C --colsep --delay',
  )
  const at = call.args.findIndex(({ value }) => /^::::?\+?$/.test(value))
  const own = at < 0 ? call.args : call.args.slice(0, at)
  const { operands } = parseArgs(own, { values, posix: true })
  const isList = call.args[at]?.value.startsWith('::::') === false
  const names =
    at >= 0 && isList
      ? call.args.slice(at + 1).filter(({ value }) => !/^:::/.test(value))
      : namesOf(call.stdin, call, true)
  const frame: Frame = { ...call.frame, via: [...call.frame.via, 'parallel'] }
  for (const name of names.slice(0, 64)) {
    const text = operands.length === 0 ? name.value : texts(operands).join(' ')
    const replaced = /\{[^ {}]*\}/.test(text)
      ? text.replace(/\{[^ {}]*\}/g, found => {
          analysis.countCharacters(found.length + name.value.length)
          return name.value
        })
      : operands.length === 0
        ? text
        : `${text} ${name.value}`
    runCode(replaced, name.from, { ...name, span: operands[0]?.span ?? name.span }, frame, analysis)
  }
  return unknownStream
}

function find(call: ProgramCall, analysis: Analysis): Stream | null {
  const words = texts(call.args)
  const deletes = words.includes('-delete') && !words.includes('-empty')
  if (!deletes && !words.some(word => /^-(exec|execdir|ok|okdir)$/.test(word))) return null
  const pattern = findPattern(words)
  const names = findRoots(words).map(
    (root): Argument => ({
      value: `${root}/${pattern}`,
      glob: true,
      quoted: false,
      from: 0,
      span: call.frame.span,
    }),
  )
  const remove = [literal('rm', call.frame.span), literal('-r', call.frame.span)]
  if (deletes) analysis.runProgram([...remove, ...names], { ...call.frame, via: [...call.frame.via, 'find -delete'] })
  for (let i = 0; i < words.length; i += 1) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(words[i] ?? '')) continue
    const end = words.findIndex((word, k) => k > i && (word === ';' || word === '+'))
    const inner = call.args.slice(i + 1, end < 0 ? undefined : end)
    for (const name of names)
      analysis.runProgram(substitute(inner, '{}', name, analysis), {
        ...call.frame,
        via: [...call.frame.via, 'find -exec'],
      })
    if (end < 0) break
    i = end
  }
  return unknownStream
}

function fd(call: ProgramCall, analysis: Analysis): Stream | null {
  const at = call.args.findIndex(({ value }) => /^(-[a-zA-Z]*[xX]|--exec|--exec-batch)$/.test(value))
  if (at < 0) return null
  const own = parseArgs(call.args.slice(0, at), {
    values: list('-e -t -d -E --extension --type --max-depth --exclude'),
  })
  const [pattern, root] = own.operands
  const extension = own.options.find(({ name }) => name === '-e' || name === '--extension')?.value?.value
  const last =
    extension !== undefined ? `*.${extension}` : pattern === undefined || pattern.value === '.' ? '*' : pattern.value
  const name: Argument = {
    value: `${root?.value ?? '.'}/${last}`,
    glob: true,
    quoted: false,
    from: 0,
    span: call.frame.span,
  }
  const inner = call.args.slice(at + 1)
  const given = inner.some(({ value }) => value.includes('{'))
    ? substitute(inner, '{}', name, analysis)
    : [...inner, name]
  analysis.runProgram(given, { ...call.frame, via: [...call.frame.via, 'fd -x'] })
  return unknownStream
}

function namesOf(stream: Stream, { frame }: ProgramCall, byLine: boolean): Argument[] {
  const { span } = frame
  if (stream.pathPattern !== null)
    return [{ value: stream.pathPattern, glob: true, quoted: false, from: stream.from, span }]
  if (stream.text === null) return [{ value: unknownText, glob: false, quoted: false, from: stream.from, span }]
  const words = stream.text.split(byLine ? /\n+/ : /\s+/).filter(word => word !== '')
  const arg = (value: string): Argument => ({ value, glob: false, quoted: true, from: stream.from, span })
  return stream.text.includes(unknownText) ? [...words.map(arg), arg(unknownText)] : words.slice(0, 256).map(arg)
}

function substitute(args: readonly Argument[], token: string, name: Argument, analysis: Analysis): Argument[] {
  return args.map(arg => {
    if (!arg.value.includes(token)) return arg
    const value = replaceCounted(arg.value, token, name.value, analysis)
    return { ...arg, value, glob: arg.glob || name.glob, from: arg.from | name.from }
  })
}
