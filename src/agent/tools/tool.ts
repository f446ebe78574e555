import * as z from 'zod'
import type { BoundAction } from '../../approval/action-digest.ts'
import type { Hmac } from '../../approval/facts/hmac.ts'
import type { CommandContext } from '../../approval/workspace.ts'
import type { AskInput } from '../../protocol/ask.ts'
import type { Verdict } from '../../protocol/verdict.ts'

/** A tool that does the work itself. */
export interface WorkTool<Input = unknown> {
  readonly kind: 'work'
  readonly name: string
  /** What the model reads about it. */
  readonly description: string
  readonly schema: z.ZodType<Input>
  /** What the model reads about the input, where somebody else describes it. */
  readonly jsonSchema?: Record<string, unknown>
  /**
   * `none`: only reads, so it may run beside others, and again after a crash. `once`: changes something; it runs alone,
   * and after a crash in the middle the model is told so instead.
   */
  readonly effect: 'none' | 'once'
  /** The call in one line, for a person. */
  title(input: Input): string
  /** The action that a person may have to approve before it runs; null where nobody needs to. */
  judge?(input: Input, workspace: Workspace): ProposedAction | null
  run(input: Input, job: Job): Promise<Output>
}

/** A tool that asks a person; the answer is its result. */
export interface AskTool<Input = unknown> {
  readonly kind: 'ask'
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType<Input>
  title(input: Input): string
  ask(input: Input): Extract<AskInput, { questions: unknown }>
  /** Instead of asking anew: the open question that a person asked back about, and the reply. */
  reply?(input: Input): Reply | null
}

export interface Reply {
  readonly request: string
  readonly text: string
}

/** A tool that hands work to another agent. */
export interface DelegateTool<Input = unknown> {
  readonly kind: 'delegate'
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType<Input>
  title(input: Input): string
  task(input: Input): { name: string; prompt: string }
}

/** A tool that shows a plan to a person, whose approval ends plan mode. */
export interface PlanTool<Input = unknown> {
  readonly kind: 'plan'
  readonly name: string
  readonly description: string
  readonly schema: z.ZodType<Input>
  title(input: Input): string
  review(input: Input): Extract<AskInput, { kind: 'review' }>
}

// biome-ignore lint/suspicious/noExplicitAny: every tool has its own input, parsed before it is called
export type Tool = WorkTool<any> | AskTool<any> | DelegateTool<any> | PlanTool<any>

/** Where an agent works, and what it may reach. */
export interface Workspace extends CommandContext {
  /** Folders besides `cwd` that may be read: the outputs and the journal of this conversation. */
  readonly readable: readonly string[]
  /** Beckon's own folder, with its key and its database. */
  readonly home: string
  /** Binds a yes to secrets of the environment without storing them. */
  readonly hmac: Hmac
}

export interface Job extends Workspace {
  readonly signal: AbortSignal
  /** A person approved exactly this. */
  readonly allowed: boolean
  /** This call's own file, for output that is too long. */
  readonly outputFile: string
  onOutput(text: string): void
}

/** An action exactly as it would run, and what the guard says about it. */
export interface ProposedAction extends Verdict {
  readonly action: BoundAction
}

export interface Output {
  readonly output: string
  readonly failed?: boolean
  readonly files?: readonly string[]
  /** What changed in a file, as a unified diff, for people. */
  readonly diff?: string
}

/** An error that the model can correct, with a hint how. */
export class ToolError extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/** The parsed input, or every problem with it. */
export function parseInput(tool: Tool, input: unknown): { input: unknown } | { problem: string } {
  const parsed = tool.schema.safeParse(input)
  if (parsed.success) return { input: parsed.data }
  const problems = parsed.error.issues.map(({ path, message }) => `- ${path.join('.') || 'input'}: ${message}`)
  return { problem: `The input of ${tool.name} is invalid:\n${problems.join('\n')}` }
}

export function inputSchema(tool: Tool): Record<string, unknown> {
  if (tool.kind === 'work' && tool.jsonSchema) return tool.jsonSchema
  const { $schema: _, ...schema } = z.toJSONSchema(tool.schema, { io: 'input' })
  return schema
}
