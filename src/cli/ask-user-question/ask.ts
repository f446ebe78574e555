import { askAndWait } from '../asking/ask-and-wait.ts'
import { attachedFiles } from '../asking/attached-files.ts'
import type { Context } from '../context.ts'
import type { AskCall } from './arguments.ts'
import type { Asked } from './questions.ts'
import { reporter } from './reporter.ts'

/** "Other" is always offered: every question accepts text besides its options. */
export async function ask(context: Context, { questions, attachments }: Asked, call: AskCall): Promise<number> {
  const { source, async, plain, human } = call
  const files = await attachedFiles(context, attachments)
  return askAndWait(context, {
    input: {
      kind: 'question',
      questions: questions.map(question => ({ ...question, allowOther: true })),
      attachments: files,
    },
    options: { async, plain, human },
    reporter,
    stdinIsFree: !('file' in source && source.file === '-'),
  })
}
