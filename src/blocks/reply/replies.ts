import type { Outcome } from '../../protocol/answer.ts'
import { escapeLine, escapeValue, unescapeValue } from './escape.ts'
import { type BlockReply, type Reply, replyFormats } from './formats.ts'

/** The text for an agent's stdin. An answer without a value is an empty line. */
export function writeReply(reply: Reply): string {
  if (reply.type === 'answer') return `${escapeLine(reply.value ?? '')}\n`
  const { tag, required, optional } = replyFormats[reply.type]
  const values = reply as Record<string, string | undefined>
  const fields = [...required, ...optional].filter(name => values[name] !== undefined)
  const lines = fields.map(name => `${name}: ${escapeValue(values[name] ?? '')}`.trimEnd())
  return [`[${tag}]`, ...lines, `[/${tag}]`, ''].join('\n')
}

/** The outcome of a question as one line of JSON, for `--reply json`. */
export function writeOutcome(id: string, value: string | string[] | null, outcome: Outcome): string {
  const { status, ...rest } = outcome
  return `${JSON.stringify({ id, status, value, ...rest })}\n`
}

/**
 * Parses what `writeReply` wrote: a whole block, or the line of an answer. Null for anything else. An answer of null was
 * written as an empty line, and comes back as an empty text.
 */
export function parseReply(text: string): Reply | null {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/)
  const [first = '', ...rest] = lines
  const format = Object.entries(replyFormats).find(([, { tag }]) => first.trim() === `[${tag}]`)
  if (!format) return rest.length === 0 ? { type: 'answer', value: unescapeValue(first) } : null
  const [type, { tag, required, optional }] = format
  if (rest.pop()?.trim() !== `[/${tag}]`) return null
  const values: Record<string, string> = {}
  for (const line of rest) {
    const [, name = '', value = ''] = /^([a-z]+): ?(.*)$/s.exec(line) ?? []
    if (![...required, ...optional].includes(name) || name in values) return null
    values[name] = unescapeValue(value.trim())
  }
  return required.every(name => name in values) ? ({ type, ...values } as BlockReply) : null
}
