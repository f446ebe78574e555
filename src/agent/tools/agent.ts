import * as z from 'zod'
import description from './agent.md'
import type { DelegateTool } from './tool.ts'

const schema = z.strictObject({
  name: z
    .string()
    .trim()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,39}$/u, 'must be a short name, such as reviewer')
    .describe('Its name, which the user sees when it asks, such as reviewer'),
  task: z
    .string()
    .trim()
    .min(1)
    .max(100_000)
    .describe('Everything that it needs to know: it does not see this conversation'),
})
type Input = z.output<typeof schema>

export const agentTool: DelegateTool<Input> = {
  kind: 'delegate',
  name: 'Agent',
  description,
  schema,
  title: ({ name, task }) => `${name}: ${task}`,
  task: ({ name, task }) => ({ name, prompt: task }),
}
