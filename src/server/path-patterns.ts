import type { Operation } from '../protocol/operations/index.ts'

/** The source of a pattern for a path of the table; each parameter is a group. */
export function patternOf(path: string, parameter = '([^/]+)'): string {
  return path.replaceAll('.', '\\.').replaceAll(/:\w+/g, parameter)
}

/** Tells with which methods a path can be called; none where there is no such path. */
export function createMethodLookup(operations: readonly Operation[]): (path: string) => readonly string[] {
  const methods = new Map<string, Set<string>>()
  for (const { path, method } of operations) {
    const known = methods.get(path) ?? new Set()
    methods.set(path, method === 'GET' ? known.add('HEAD').add('GET') : known.add(method))
  }
  const patterns = [...methods].map(([path, known]) => [new RegExp(`^${patternOf(path)}$`), [...known].sort()] as const)
  return path => patterns.flatMap(([pattern, known]) => (pattern.test(path) ? known : []))
}
