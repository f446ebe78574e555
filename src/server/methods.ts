import { operations } from './operations/index.ts'

const patterns = new Map<RegExp, string[]>()
for (const path of new Set(operations.map(operation => operation.path))) {
  const methods = operations.filter(operation => operation.path === path).map(({ method }) => method)
  const all = methods.includes('GET') ? ['HEAD', ...methods] : methods
  patterns.set(new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`), all.sort())
}

/** With what a path can be called; empty where there is no such path. */
export function methodsOf(path: string): readonly string[] {
  return [...patterns].flatMap(([pattern, methods]) => (pattern.test(path) ? methods : []))
}
