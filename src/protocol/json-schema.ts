import * as z from 'zod'
import type { Json } from './canonical-json.ts'
import { limits } from './limits.ts'
import { textProblem } from './text.ts'

/** Any JSON value, of a size and depth that every store and screen can take. */
export const jsonSchema = z.unknown().superRefine((value, context) => {
  const problem = jsonProblem(value, 0, { left: limits.toolInput })
  if (problem) context.addIssue({ code: 'custom', message: problem })
}) as z.ZodType<Json, Json>

function jsonProblem(value: unknown, depth: number, size: { left: number }): string | null {
  size.left -= typeof value === 'string' ? value.length + 2 : 5
  if (size.left < 0) return `is too long: at most ${limits.toolInput} characters`
  if (depth > limits.depth) return `is nested too deeply: at most ${limits.depth} levels`
  if (value === null || typeof value === 'boolean') return null
  if (typeof value === 'string') return textProblem(value, limits.toolInput)
  if (typeof value === 'number') return numberProblem(value)
  if (typeof value !== 'object' || !isPlain(value)) return 'contains something that JSON cannot hold'
  for (const [name, one] of Object.entries(value)) {
    const problem = jsonProblem(name, depth, size) ?? jsonProblem(one, depth + 1, size)
    if (problem) return problem
  }
  return null
}

/** A whole number beyond these was rounded before we saw it: a person would approve another one. */
function numberProblem(value: number): string | null {
  if (!Number.isFinite(value)) return 'contains a number that JSON cannot hold'
  return Math.abs(value) > Number.MAX_SAFE_INTEGER ? 'contains a number that is too large to be exact' : null
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === Object.prototype || prototype === null
}
