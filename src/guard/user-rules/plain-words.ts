import type { ShellScript, Word } from '../shell/syntax-tree.ts'

/** The words of a command that is nothing but one program with literal arguments; null for any other. */
export function plainWords({ body, errors }: ShellScript): string[] | null {
  const [node] = body
  if (errors.length > 0 || body.length !== 1 || node?.kind !== 'simple') return null
  if (node.assignments.length > 0 || node.redirects.length > 0) return null
  const words = node.words.map(word => (word.kind === 'word' ? literal(word) : null))
  return words.length > 0 && words.every(word => word !== null) ? words : null
}

/** Whether the text means the same every time it runs: no variables, no substitutions. */
export function isStatic({ body, errors }: ShellScript): boolean {
  return errors.length === 0 && !/"kind":"(parameter|output|process|number|evaluated)"/.test(JSON.stringify(body))
}

function literal({ parts }: Word): string | null {
  return parts.every(part => part.kind === 'text') ? parts.map(part => part.text).join('') : null
}
