import * as z from 'zod'
import { limits } from '../../protocol/limits.ts'
import { text } from '../../protocol/text.ts'
import type { Call, Changes } from '../call.ts'
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
    files: z
      .array(filled(limits.path))
      .max(limits.files)
      .optional()
      .describe('The files to look at. Every change in the directory is shown.'),
    context: text(limits.context).optional().describe('Markdown: what was done, and what to look at.'),
  }),
  call: async ({ title, files = [], context }, call) => {
    const changes = await changesIn(call, files)
    const said = [context, changes.context].filter(text => typeof text === 'string')
    return ask(call, { kind: 'review', title, files, diff: changes.diff, context: said.join('\n\n') || null })
  },
})

/** A person reviews what changed, not what the model says of it. Over HTTP, nobody here can look. */
async function changesIn({ machine, asker }: Call, files: readonly string[]): Promise<Changes> {
  if (!machine || asker.cwd === null) return { diff: null, context: null }
  return machine.changes(asker.cwd, files, asker.run)
}
