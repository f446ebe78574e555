import { askAndWait } from '../asking/ask-and-wait.ts'
import type { Context } from '../context.ts'
import type { AskCall } from './arguments.ts'
import type { AskedQuestion } from './questions.ts'
import { reporter } from './reporter.ts'

/** "Other" is always offered: every question accepts text besides its options. */
export function ask(context: Context, questions: AskedQuestion[], call: AskCall): Promise<number> {
  const { source, async, plain, human } = call
  return askAndWait(context, {
    input: { kind: 'question', questions: questions.map(question => ({ ...question, allowOther: true })) },
    options: { async, plain, human },
    reporter,
    stdinIsFree: !('file' in source && source.file === '-'),
  })
}
