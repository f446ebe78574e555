import * as z from 'zod'
import { limits } from '../../protocol/limits.ts'
import { text } from '../../protocol/text.ts'
import { ask } from './asking.ts'
import { filled } from './texts.ts'
import { fields, tool } from './tool.ts'

export const reviewTool = tool({
  name: 'review',
  title: 'Ask for a review',
  description:
    'Ask a person to review a finished piece of work before you go on. "value" is "approve" or "changes"; with changes, "feedback" says what to change.',
  input: fields({
    title: filled(limits.question).describe('What is finished.'),
    files: z.array(filled(limits.path)).max(limits.files).optional().describe('The files that changed.'),
    context: text(limits.context).optional().describe('Markdown: what was done, and what to look at.'),
  }),
  call: ({ title, files = [], context }, call) => ask(call, { kind: 'review', title, files, context }),
})
