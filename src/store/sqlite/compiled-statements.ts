import type { Prepared } from '../prepare.ts'
import type { Statements } from '../statements/index.ts'

// A command uses a dozen of the fixed statements once. To load Kysely and to build them takes longer than to run them, so
// the build compiles them all. Each becomes a JSON text, which only its first use reads: the SQL, then its parameters.

type Parameter = { name: string } | { value: unknown }
type Values = Record<string, unknown>

/** The compiled statements by name; those in a group as `group.name`. */
export function compileStatements(statements: Statements): Record<string, string> {
  return Object.fromEntries(namedStatements(statements).map(([name, statement]) => [name, compile(statement)]))
}

export function namedStatements(statements: object, group = ''): [string, Prepared<Values, unknown>][] {
  return Object.entries(statements).flatMap(([name, found]) => {
    if (typeof found !== 'object') return []
    return 'bind' in found ? [[`${group}${name}`, found]] : namedStatements(found, `${group}${name}.`)
  })
}

class Named {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

function compile({ sql, bind }: Prepared<Values, unknown>): string {
  const names = new Proxy({}, { get: (_, name) => new Named(String(name)) })
  const parameters = bind(names).map(found => (found instanceof Named ? { name: found.name } : { value: found }))
  return JSON.stringify([sql, ...parameters])
}

/** Statements that were compiled, and those that were not, which are built by the call. */
export function readStatements(compiled: Readonly<Record<string, string>>, build: () => Statements): Statements {
  const groups = new Set(Object.keys(compiled).flatMap(name => name.split('.').slice(0, -1)))
  const built = (name: string): unknown => Reflect.get(build(), name)
  return lookUp('', built) as Statements

  function lookUp(group: string, otherwise: (name: string) => unknown): object {
    const known = new Map<string, unknown>()
    return new Proxy({}, { get: (_, name: string) => known.get(name) ?? remember(name) })

    function remember(name: string): unknown {
      const found = find(name)
      known.set(name, found)
      return found
    }

    function find(name: string): unknown {
      const text = compiled[`${group}${name}`]
      if (text !== undefined) return read(text)
      if (group !== '' || !groups.has(name)) return otherwise(name)
      return lookUp(`${name}.`, inner => Reflect.get(built(name) as object, inner))
    }
  }
}

function read(text: string): Prepared<Values, unknown> {
  const [sql, ...parameters] = JSON.parse(text) as [string, ...Parameter[]]
  return {
    sql,
    bind: values => parameters.map(parameter => ('name' in parameter ? values[parameter.name] : parameter.value)),
  }
}
