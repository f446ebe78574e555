import * as z from 'zod'

const projectRule = z.strictObject({
  verdict: z.enum(['ask', 'deny'], { error: 'must be "ask" or "deny": a project can only make the guard stricter' }),
  command: z.string().trim().min(1, 'must not be empty').max(1_000),
  reason: z.string().trim().min(1).max(1_000).optional(),
})

/** `.beckon/rules.json`. In a file of its own: most projects have none, and the guard then needs no schema. */
export const projectFileSchema = z.strictObject({
  strict: z.boolean().optional(),
  rules: z.array(projectRule).max(1_000).default([]),
})
