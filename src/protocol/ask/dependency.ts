import * as z from 'zod'
import { limits } from '../limits.ts'
import { dependencyTypes } from '../status.ts'
import { filledText, line } from '../text.ts'
import { common } from './common.ts'

export const askDependency = z.strictObject({
  kind: z.literal('dependency'),
  ...common,
  type: z.enum(dependencyTypes),
  name: line(limits.name),
  description: filledText(limits.description),
  /** The file may lie outside of the asker's directory. */
  outside: z.boolean().default(false),
})
