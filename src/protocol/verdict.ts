import * as z from 'zod'
import { type Severity, severities, verdicts } from './severity.ts'

export interface Reason {
  /** The id of the guard's rule, such as `git/push-force`. */
  readonly rule: string
  readonly message: string
  /** Of a message that is built at run time: the sentence with `{name}` for each value, and the values. */
  readonly template?: string | undefined
  readonly params?: Readonly<Record<string, string>> | undefined
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
  /** A safer command: the whole command with its dangerous part rewritten, or an example. */
  readonly safer: string | null
  /** Whether `safer` is the whole command, rewritten. */
  readonly rewritten?: boolean | undefined
}

/** One program that a command would start, or a file that it redirects to, and what the rules say about it. */
export interface Step {
  readonly argv: readonly string[]
  /** Null if it is known only at run time. */
  readonly cwd: string | null
  /** The programs that start it, outermost first. */
  readonly via: readonly string[]
  readonly root: boolean
  /** On another machine or in a container. */
  readonly remote: boolean
  /** The part of the command that it stands in. */
  readonly span: readonly [number, number]
  readonly verdict: Verdict['verdict']
  readonly severity: Severity
  readonly reasons: readonly Reason[]
}

/** A verdict with everything that would start: the JSON of `beckon guard --explain --json`. */
export interface Explanation extends Verdict {
  readonly steps: readonly Step[]
  /** How many more there are. */
  readonly omitted: number
}

export const reasonSchema = z.object({
  rule: z.string(),
  message: z.string(),
  template: z.string().optional(),
  params: z.record(z.string(), z.string()).optional(),
  span: z.tuple([z.number(), z.number()]),
  file: z.string().optional(),
  line: z.number().optional(),
}) satisfies z.ZodType<Reason>

export const verdictSchema = z.object({
  verdict: z.enum(verdicts),
  severity: z.enum(severities),
  reasons: z.array(reasonSchema),
  safer: z.string().nullable(),
  rewritten: z.boolean().optional(),
}) satisfies z.ZodType<Verdict>

const stepSchema = z.object({
  argv: z.array(z.string()),
  cwd: z.string().nullable(),
  via: z.array(z.string()),
  root: z.boolean(),
  remote: z.boolean(),
  span: z.tuple([z.number(), z.number()]),
  verdict: z.enum(verdicts),
  severity: z.enum(severities),
  reasons: z.array(reasonSchema),
}) satisfies z.ZodType<Step>

export const explanationSchema = z.object({
  ...verdictSchema.shape,
  steps: z.array(stepSchema),
  omitted: z.int(),
}) satisfies z.ZodType<Explanation>
