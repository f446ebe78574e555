import { type Argument, isStdin, literal, origins } from '../interpret/arguments.ts'
import { fileStream } from '../interpret/files.ts'
import type { Stream } from '../interpret/streams.ts'
import type { ProgramCall } from '../program-call.ts'
import { captured, valuesOf } from './find-code.ts'

/** The shell code of a makefile that this command wrote, of one on stdin, of `--eval`, and of a shell given as a variable. */
export function makeRecipes(call: ProgramCall): readonly Argument[] {
  const { args, frame } = call
  const given = [
    ...valuesOf(call, '-f', '--file', '--makefile', '--justfile'),
    ...args.flatMap(arg => captured(arg, /^-f(.+)$/s)),
  ]
  const folders = valuesOf(call, '-C', '--directory').map(({ value }) => literal(`${value}/Makefile`, frame.span))
  const files = given.length > 0 ? given : folders.length > 0 ? folders : [literal('Makefile', frame.span)]
  return [
    ...args.flatMap(arg => captured(arg, /^SHELL=(.*)$/s)),
    ...args.flatMap(({ value, span }) =>
      value.startsWith('-') ? [] : shellCalls(value).map(code => literal(code, span)),
    ),
    ...valuesOf(call, '--eval', '-E').flatMap(({ value, span }) => recipesIn(value).map(code => literal(code, span))),
    ...files.flatMap(file =>
      recipesOf(isStdin(file) ? call.stdin : fileStream(file, frame.scope), isStdin(file), call),
    ),
  ]
}

/** The commands of a build file that this command wrote, or of one on stdin. */
export function ninjaCommands(call: ProgramCall): readonly Argument[] {
  return valuesOf(call, '-f').flatMap(file => {
    const { text } = isStdin(file) ? call.stdin : fileStream(file, call.frame.scope)
    return (text ?? '').split('\n').flatMap(line => captured(literal(line, file.span), /^\s+command\s*=\s*(.*)$/))
  })
}

function recipesOf({ text, from }: Stream, isPiped: boolean, { frame }: ProgramCall): Argument[] {
  if (text !== null) return recipesIn(text).map(code => ({ ...literal(code, frame.span), from }))
  // Rules that nobody has seen: from the network, or from a program.
  return isPiped || from & origins.network ? [{ ...literal('\0', frame.span), from }] : []
}

/** Variables are set first, because make reads them all before it runs a recipe. */
function recipesIn(makefile: string): string[] {
  const lines = makefile.replaceAll('\\\n', ' ').split('\n')
  const variables = lines.flatMap(line => {
    const [, name = '', value = ''] = /^(?:export\s+|override\s+)*(\w+)\s*(?:::?|\?|\+)?=(?!=)\s*(.*)$/.exec(line) ?? []
    return name === '' ? [] : [`${name}=${inShell(value).replace(/[\s;&|<>()]/g, '\\$&')}; `]
  })
  const before = variables.slice(0, 32).join('')
  const code = lines.flatMap(line => {
    const recipe = /^(?:\t| {4})(.*)$/.exec(line)?.[1] ?? recipeOfRule(line)
    const shell = /^\w+\s*!=\s*(.*)$/.exec(line)?.[1]
    return [...(recipe === undefined ? [] : [recipe]), ...(shell === undefined ? [] : [shell]), ...shellCalls(line)]
  })
  return code.map(line => before + inShell(line.trim().replace(/^[@+-]+/, '')))
}

/** `target: ; command` on one line. */
function recipeOfRule(line: string): string | undefined {
  const at = line.indexOf(';')
  const rule = at < 0 ? '' : line.slice(0, at)
  return rule.includes(':') && !/^[\t#]|=/.test(rule) ? line.slice(at + 1) : undefined
}

/** The code in `$(shell …)`, up to the bracket that closes it. */
function shellCalls(line: string): string[] {
  const calls: string[] = []
  for (let at = line.indexOf('$(shell '); at >= 0; at = line.indexOf('$(shell ', at)) {
    const from = at + '$(shell '.length
    let depth = 1
    for (at = from; at < line.length && depth > 0; at += 1) depth += line[at] === '(' ? 1 : line[at] === ')' ? -1 : 0
    calls.push(line.slice(from, depth === 0 ? at - 1 : at))
  }
  return calls
}

/** `$(NAME)` is a variable of make, `$$` a dollar sign. */
function inShell(text: string): string {
  return text.replace(/\$\$|\$\((\w+)\)/g, (_, name?: string) => (name === undefined ? '$' : `\${${name}}`))
}
