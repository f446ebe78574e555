import * as z from 'zod'

/**
 * Text that survives every store and screen: no NUL (PostgreSQL refuses it), no lone surrogates (they have no UTF-8),
 * and a maximum length.
 */
export function text(max: number) {
  return z.string().superRefine((value, context) => {
    const problem = textProblem(value, max)
    if (problem) context.addIssue({ code: 'custom', message: problem })
  })
}

/** The same, trimmed, and not empty. */
export function filledText(max: number) {
  return text(max)
    .transform(value => value.trim())
    .refine(value => value.length > 0, 'must not be empty')
}

/** The same, to the letter: spaces at the ends stay, but there must be more than spaces. */
export function exactText(max: number) {
  return text(max).refine(value => value.trim() !== '', 'must not be empty')
}

/** Filled text on one line: names, keys, headers. */
export function line(max: number) {
  return filledText(max).refine(value => !/[\r\n\u2028\u2029]/.test(value), 'must be a single line')
}

/** Text, or a number or boolean of JSON: `0` and `false` are values too. */
export function scalar(max: number) {
  return z.union([text(max), z.number().transform(String), z.boolean().transform(String)])
}

export const textOrTexts = { error: 'must be text, or a list of texts' }

export function textProblem(value: string, max: number): string | null {
  if (value.length > max) return `is too long: ${value.length} characters, at most ${max}`
  if (value.includes('\0')) return 'contains a NUL byte'
  if (!value.isWellFormed()) return 'contains half of a surrogate pair (broken UTF-16)'
  return null
}
