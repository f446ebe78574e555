import * as z from 'zod'
import { limits } from './limits.ts'
import { line } from './text.ts'

// A token opens the hub over HTTP. `ask` is for agents: their own requests and nothing else; `run` is for supervisors: the
// runs that they start, and what those ask; `answer` is for people and their programs; `admin` also creates and revokes
// tokens.
export const scopes = ['ask', 'run', 'answer', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Each scope may do what the ones before it may. */
export function includesScope(scope: Scope, needed: Scope): boolean {
  return scopes.indexOf(scope) >= scopes.indexOf(needed)
}

/** Whether it belongs to a person, who sees everything and may answer. */
export function isForPeople(scope: Scope): boolean {
  return scope === 'answer' || scope === 'admin'
}

export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: z.enum(scopes),
  /** The run of the agent that has it. It can ask in that run only. */
  run: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
})
export type Token = z.output<typeof tokenSchema>

export const createTokenSchema = z
  .strictObject({
    name: line(limits.name).optional(),
    scope: z.enum(scopes),
    /** Milliseconds from now. */
    expires: z.number().positive().max(limits.timeout).nullish(),
    run: line(limits.name).nullish(),
  })
  .refine(({ scope, run }) => scope === 'ask' || !run, {
    path: ['run'],
    message: 'only an ask token can be bound to a run',
  })
export type CreateTokenInput = z.input<typeof createTokenSchema>

/** The secret is shown once and stored nowhere. */
export interface NewToken {
  token: Token
  secret: string
}
