import type { Compilable, CompiledQuery } from 'kysely'

/** A typed query, compiled once: its text, and how to lay out values for it. */
export interface Prepared<Values, Row> {
  readonly sql: string
  bind(values: Values): unknown[]
  /** Only for the types. */
  readonly row?: Row
}

type Name<Values> = <K extends keyof Values>(name: K) => Values[K]

/**
 * Compiles a query once instead of at every call. The builder gets place-holders for its values; the compiler puts
 * them into the parameter list untouched, which tells where each value belongs.
 */
export function prepare<Values, Row = unknown>(build: (value: Name<Values>) => Compilable<Row>): Prepared<Values, Row> {
  let compiled: CompiledQuery | null = null
  // At the first use: most commands use few of them.
  const once = () => {
    compiled ??= build(name => new PlaceHolder(name) as never).compile()
    return compiled
  }
  return {
    get sql() {
      return once().sql
    },
    bind: values =>
      once().parameters.map(parameter =>
        parameter instanceof PlaceHolder ? values[parameter.name as keyof Values] : parameter,
      ),
  }
}

class PlaceHolder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}
