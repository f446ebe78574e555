import { secretTypes } from '../../protocol/status.ts'
import { quoteWords } from '../../text/quote-words.ts'
import type { AskingOptions } from '../asking/ask-and-wait.ts'
import { requireDirectory, requireUnused, resume } from '../asking/resume.ts'
import type { Context } from '../context.ts'
import { beckonReporter } from '../output/reporter.ts'
import { carryOut, checkCommand } from './carry-out.ts'

/** Waits for a dependency that was asked before, and uses its value once, in the directory it was asked in. */
export function resumeNeed(
  context: Context,
  id: string,
  command: string[],
  options: AskingOptions & { json?: boolean },
): Promise<number> {
  const { json = false } = options
  const reporter = beckonReporter(json, command)
  return resume(context, {
    id,
    kind: 'dependency',
    options,
    reporter,
    check(there, request) {
      const { type, name, run } = request
      // A reference of a run can be opened as long as the run lives.
      const isOpen = command.length === 0 && secretTypes.includes(type) && run !== null
      if (!isOpen) requireUnused(request, `beckon need ${type} ${quoteWords([name])} --description TEXT`)
      if (command.length === 0) return
      requireDirectory(there, request)
      checkCommand(there, name, command)
    },
    onSettled: (there, hub, request, told) => {
      const { type, name } = request
      return carryOut(there, hub, request, { type, name, command, json, reporter, once: true, told })
    },
  })
}
