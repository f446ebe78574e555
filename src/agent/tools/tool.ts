import * as z from 'zod'
import type { AskInput } from '../../protocol/ask.ts'
import type { Verdict } from '../guard.ts'

/** A tool that does something by itself. */
export interface WorkTool<Input = unknown> {
  readonly kind: 'work'
  readonly name: string
  /** What the model reads about it. */
  readonly description: string
  readonly schema: z.ZodType<Input>
  /**
   * `none`: only looks, so it may run beside others, and again after a crash. `once`: changes something; it runs alone,
   * and after a crash in the middle the model is told instead.
   */
  readonly effect: 'none' | 'once'
  /** What a person sees of the call, in a line. */
  title(input: Input): string
  /** What a person may have to see before it runs; null where there is nothing to see. */
  judge?(input: Input, place: Place): Judged | null
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

// biome-ignore lint/suspicious/noExplicitAny: each tool has an input of its own, parsed before it is called
export type Tool = WorkTool<any> | AskTool<any> | DelegateTool<any>

/** Where an agent works. */
export interface Place {
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  /** Folders besides `cwd` that may be read: the outputs and the journal of this conversation. */
  readonly readable: readonly string[]
  /** Beckon's own folder, with its key and its database. */
  readonly home: string
}

export interface Job extends Place {
  readonly signal: AbortSignal
  /** A person has seen and allowed exactly this. */
  readonly allowed: boolean
  /** A file of this call's own, for what is too long. */
  readonly outputFile: string
  onOutput(text: string): void
}

/** An action, to the letter, and what the guard says about it. */
export interface Judged extends Verdict {
  readonly command: string
}

export interface Output {
  readonly output: string
  readonly failed?: boolean
  readonly files?: readonly string[]
}

/** What went wrong in a way that the model can mend, with a hint how. */
export class ToolFault extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}

/** The input as the tool wants it, or every problem with it. */
export function parseInput(tool: Tool, input: unknown): { input: unknown } | { problem: string } {
  const parsed = tool.schema.safeParse(input)
  if (parsed.success) return { input: parsed.data }
  const problems = parsed.error.issues.map(({ path, message }) => `- ${path.join('.') || 'input'}: ${message}`)
  return { problem: `The input of ${tool.name} is wrong:\n${problems.join('\n')}` }
}

export function inputSchema(tool: Tool): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(tool.schema, { io: 'input' })
  return schema
}
