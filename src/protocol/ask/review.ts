import * as z from 'zod'
import { limits } from '../limits.ts'
import { filledText, text } from '../text.ts'
import { common } from './common.ts'

export const askReview = z.strictObject({
  kind: z.literal('review'),
  ...common,
  phase: z.union([z.int(), text(limits.name)], { error: 'must be a whole number or a name' }).nullish(),
  title: filledText(limits.question),
  files: z.array(filledText(limits.path)).max(limits.files).default([]),
  /** What changed, as `git diff` prints it. */
  diff: text(limits.diff).nullish(),
})
