export type Language = 'shell' | 'python' | 'javascript' | 'ruby' | 'perl' | 'make' | 'sql' | 'other'

/** One program of a command, with what it was given. */
export interface Call {
  /** The bare name: `/usr/bin/python3.12` is `python3.12`. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** The script that contains the call; null for the command itself. */
  readonly script: string | null
}

/** What a call runs or reads as code is told here. Paths may be relative to the call's folder, and may be patterns. */
export interface Bound {
  /** Its text, if it can be read. */
  code(path: string, language: Language): string | null
  /** Read, but not run; bound where it exists. */
  data(path: string): void
  /** The first that exists, here or in a folder above. */
  nearest(names: readonly string[], language: Language): void
  /** Code for a shell, such as a script of package.json. */
  shell(source: string, cwd: string, env: NodeJS.ProcessEnv): void
  /** Code of another language that is given in the command. */
  inline(source: string, language: Language): void
  /** Something runs that is not bound. */
  unbound(sentence: string): void
}

export type Runner = (call: Call, bound: Bound) => void

/** The value of the first of these options: `-f x`, `-fx`, `--file x`, `--file=x`. */
export function valuesOf(args: readonly string[], ...names: readonly string[]): string[] {
  return args.flatMap((arg, i) => {
    if (names.includes(arg)) return args[i + 1] === undefined ? [] : [args[i + 1] ?? '']
    const name = names.find(one => arg.startsWith(one.startsWith('--') ? `${one}=` : one))
    return name === undefined || arg.startsWith('--') !== name.startsWith('--')
      ? []
      : [arg.slice(name.length).replace(/^=/, '')]
  })
}

/** Arguments that are neither options nor the values of these options. */
export function operandsOf(args: readonly string[], withValue: readonly string[] = []): string[] {
  const operands: string[] = []
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? ''
    if (arg === '--') return [...operands, ...args.slice(i + 1)]
    if (withValue.includes(arg)) i += 1
    else if (arg === '-' || !arg.startsWith('-')) operands.push(arg)
  }
  return operands
}
