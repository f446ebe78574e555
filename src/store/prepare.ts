import type { Compilable, CompiledQuery } from 'kysely'

/** A typed query that is compiled once: its SQL, and the order of its values. */
export interface Prepared<Values, Row> {
  readonly sql: string
  bind(values: Values): unknown[]
  /** Exists only in the types. */
  readonly row?: Row
}

/**
 * The same statement for one set of values and for many, which come column by column. Of many, each row says in `asked`
 * which set it belongs to, from 1 on.
 */
export interface Batch<Values, Row = unknown> {
  readonly one: Prepared<Values, Row>
  readonly many: Prepared<Columns<Values>, Row & { asked: number }>
}

export type Columns<Values> = { readonly [Name in keyof Values]: readonly Values[Name][] }

type Name<Values> = <K extends keyof Values>(name: K) => Values[K]

/**
 * Compiles a query once instead of at every call. The builder gets placeholders for its values; the compiler leaves them
 * in the parameter list, which says where each value belongs.
 */
export function prepare<Values, Row = unknown>(build: (value: Name<Values>) => Compilable<Row>): Prepared<Values, Row> {
  let compiled: CompiledQuery | null = null
  // On first use: most commands use few statements.
  const once = () => {
    compiled ??= build(name => new Placeholder(name) as never).compile()
    return compiled
  }
  return {
    get sql() {
      return once().sql
    },
    bind: values =>
      once().parameters.map(parameter =>
        parameter instanceof Placeholder ? values[parameter.name as keyof Values] : parameter,
      ),
  }
}

class Placeholder {
  readonly name: PropertyKey
  constructor(name: PropertyKey) {
    this.name = name
  }
}
