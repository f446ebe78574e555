/** One way to compute a name. */
export interface Rewrite {
  /** Ends after the opening bracket. */
  pattern: RegExp
  /** The code in place of the call; null leaves it as it is. `owner` is the object of a method, `rest` follows the call. */
  as: (parts: RewriteParts) => string | null
  /** Whether the object before the pattern belongs to it. */
  owned?: boolean
}

interface RewriteParts {
  args: readonly string[]
  values: readonly string[]
  owner: string
  match: RegExpMatchArray
  rest: string
  variables: ReadonlyMap<string, string>
}

export function identifier(value: string | undefined): string | null {
  const name = value?.replace(/^(?:CORE::(?:GLOBAL::)?|\\|node:|Elixir\.|Kernel\.|:)/, '') ?? ''
  return /^[A-Za-z_][\w.!?]*$/.test(name) ? name : null
}

/** `X.send(:name, a)` becomes `X.name(a`. */
export const sent = ({ args, values, owner }: RewriteParts): string | null => {
  const name = identifier(symbol(args[0]) ?? values[0])
  return name === null ? null : `${owner === '' ? '' : `${owner}.`}${name}(${args.slice(1).join(',')}`
}

export function symbol(source: string | undefined): string | null {
  return /^\s*:(\w+[!?]?)\s*$/.exec(source ?? '')?.[1] ?? null
}

/** `f(NAME, a)` becomes `NAME(a`. */
export const calledFirst = ({ args, values }: RewriteParts): string | null => {
  const name = identifier(symbol(args[0]) ?? values[0])
  return name === null ? null : `${name}(${args.slice(1).join(',')}`
}

/** `$f(a)` becomes `NAME(a`. */
export const calledVariable = ({ args, match, variables }: RewriteParts): string | null => {
  const name = identifier(variables.get(match[1] ?? match[2] ?? ''))
  return name === null ? null : `${name}(${args.join(',')}`
}

export const member = ({ args, values, owner }: RewriteParts): string | null => {
  const name = args.length === 1 ? identifier(values[0]) : null
  return name === null || owner === '' ? null : `${owner}.${name}`
}

export const pythonModule = ({ values }: RewriteParts): string | null => identifier(values[0])

/** `apply(module, name, list)`: nobody knows what that is. */
export function isVariable({ args }: RewriteParts): boolean {
  return args.length === 3 && /^\s*[a-z_]\w*\s*$/.test(args[0] ?? '')
}

/** `apply(:os, :cmd, [a])` becomes `:os.cmd(a`. */
export function applied({ args, values }: RewriteParts, separator: string): string | null {
  const name = calledName(args, values, separator)
  return name && `${name}(${(args[2] ?? '').replace(/^\s*\[|\]\s*$/g, '')}`
}

export function calledName(args: readonly string[], values: readonly string[], separator: string): string | null {
  const written = args[0]?.trim() ?? ''
  const module = /^:?[A-Za-z][\w.]*$/.test(written) ? written : identifier(values[0])
  // An atom of Erlang is a bare word.
  const atom = separator === ':' ? /^\s*([a-z]\w*)\s*$/.exec(args[1] ?? '')?.[1] : undefined
  const name = symbol(args[1]) ?? atom ?? identifier(values[1])
  if (name === null || module === null) return null
  // `:"Elixir.System"` is the module System, `:os` one of Erlang's.
  const isErlang = separator === '.' && /^[a-z]/.test(module)
  return `${isErlang ? ':' : ''}${module}${separator}${name}`
}

export function bareFirst({ args }: RewriteParts): string | null {
  return /^\s*[\w.:]+\s*$/.test(args[0] ?? '') ? `${args[0]?.trim()}(${args.slice(1).join(',')}` : null
}
