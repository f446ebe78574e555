import * as z from 'zod'

// allow < ask < deny: a command gets the strictest verdict of all its parts.
export const verdicts = ['allow', 'ask', 'deny'] as const

export const severities = ['none', 'low', 'medium', 'high', 'critical'] as const
export type Severity = (typeof severities)[number]

export interface Reason {
  /** The id of the guard's rule, such as `git/push-force`. */
  readonly rule: string
  readonly message: string
  /** The part of the command that the rule is about. */
  readonly span: readonly [number, number]
  /** Where the reason lies in a file that this part of the command runs: its path in the workspace, and the line. */
  readonly file?: string | undefined
  readonly line?: number | undefined
}

/** What the guard says about a command: the JSON of `beckon guard --json`. */
export interface Verdict {
  readonly verdict: (typeof verdicts)[number]
  readonly severity: Severity
  readonly reasons: readonly Reason[]
  readonly safer: string | null
}

export const reasonSchema = z.object({
  rule: z.string(),
  message: z.string(),
  span: z.tuple([z.number(), z.number()]),
  file: z.string().optional(),
  line: z.number().optional(),
}) satisfies z.ZodType<Reason>

export const verdictSchema = z.object({
  verdict: z.enum(verdicts),
  severity: z.enum(severities),
  reasons: z.array(reasonSchema),
  safer: z.string().nullable(),
}) satisfies z.ZodType<Verdict>
