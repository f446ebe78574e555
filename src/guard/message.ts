import type { Reason } from '../protocol/verdict.ts'

/** What a finding says: its sentence in English, and what it was made of, for readers of other languages. */
export type Message = Pick<Reason, 'message' | 'template' | 'params'>

const longest = 200

/** A sentence that is built at run time: `{name}` in the template stands for a value. */
export function messageOf(template: string, values: Readonly<Record<string, string>>): Message {
  const params: Record<string, string> = {}
  for (const name in values) params[name] = shortened(values[name] ?? '')
  const message = template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => params[name] ?? placeholder)
  return { message, template, params }
}

function shortened(value: string): string {
  return value.length > longest ? `${value.slice(0, longest)}…` : value
}
