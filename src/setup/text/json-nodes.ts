import type { Node } from 'jsonc-parser'
import type { Json } from './json.ts'

/** The node at a path. Of properties with the same name the last one counts, as for JSON.parse. */
export function nodeAt(root: Node, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = root
  for (const segment of path) {
    const children: Node[] = node?.children ?? []
    if (typeof segment === 'number') node = node?.type === 'array' ? children[segment] : undefined
    else {
      const property: Node | undefined =
        node?.type === 'object' ? children.findLast(({ children: [key] = [] }) => key?.value === segment) : undefined
      node = property?.children?.[1]
    }
  }
  return node
}

export function jsonOf({ type, value, children = [] }: Node): Json {
  if (type === 'array') return children.map(jsonOf)
  if (type !== 'object') return value
  return Object.fromEntries(
    children.map(({ children: [key, value] = [] }) => [key?.value, value ? jsonOf(value) : null]),
  )
}
