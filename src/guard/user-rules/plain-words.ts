import type { ShellIR, Word } from '../shell/ir.ts'

/** The words of a command that is one program and its literal arguments, and nothing else; null for any other. */
export function plainWords({ body, errors }: ShellIR): string[] | null {
  const [node] = body
  if (errors.length > 0 || body.length !== 1 || node?.kind !== 'simple') return null
  if (node.assignments.length > 0 || node.redirects.length > 0) return null
  const words = node.words.map(word => (word.kind === 'word' ? literal(word) : null))
  return words.length > 0 && words.every(word => word !== null) ? words : null
}

/** Whether the same text means the same whenever it is run: no variables, no substitutions. */
export function isStatic({ body, errors }: ShellIR): boolean {
  return errors.length === 0 && !/"kind":"(parameter|output|process|number)"/.test(JSON.stringify(body))
}

function literal({ parts }: Word): string | null {
  return parts.every(part => part.kind === 'text') ? parts.map(part => part.text).join('') : null
}
