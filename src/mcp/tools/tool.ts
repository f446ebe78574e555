import * as z from 'zod'
import type { Call } from '../call.ts'
import type { Document } from '../documents.ts'

/** A tool as the model sees it, and what it does. */
export interface Tool<Schema extends z.ZodType = z.ZodType> {
  readonly name: string
  readonly title: string
  /** For the model. */
  readonly description: string
  readonly input: Schema
  /** For a host that takes nothing but text. */
  readonly isTextOnly?: true
  readonly annotations?: { readonly readOnlyHint?: boolean; readonly idempotentHint?: boolean }
  call(input: z.output<Schema>, call: Call): Promise<Document>
}

/** Keeps the types of the input together. */
export function tool<Schema extends z.ZodType>(definition: Tool<Schema>): Tool {
  return definition as unknown as Tool
}

/** An object without unknown fields. Models send null for what they leave out. */
export function fields<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.preprocess(withoutNulls, z.strictObject(shape))
}

function withoutNulls(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  // The input of a tool is whatever it is, and null is a value there.
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => value !== null || name === 'input'))
}

/** The JSON Schema of an input, as hosts show it to models. */
export function describeInput(schema: z.ZodType) {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })
  return described as { type: 'object'; [name: string]: unknown }
}
