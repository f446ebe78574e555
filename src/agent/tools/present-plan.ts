import * as z from 'zod'
import description from './present-plan.md'
import type { PlanTool } from './tool.ts'

const schema = z.strictObject({
  title: z.string().trim().min(1).max(200).describe('What the plan achieves, in one line'),
  plan: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .describe('What you will do, step by step, in Markdown: files, commands, how you will check it, what stays open'),
})
type Input = z.output<typeof schema>

export const presentPlanTool: PlanTool<Input> = {
  kind: 'plan',
  name: 'PresentPlan',
  description,
  schema,
  title: ({ title }) => title,
  review: ({ title, plan }) => ({ kind: 'review', title, phase: 'plan', context: plan }),
}
