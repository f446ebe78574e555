import type { Context } from '../context.ts'
import type { AskCall, WaitCall } from './arguments.ts'
import { ask } from './ask.ts'
import type { Asked } from './questions.ts'
import { reportError } from './report-error.ts'

export { hasCreatedDatabase } from '../../store/sqlite/created.ts'

export type ValidCall = WaitCall | (AskCall & Asked)

/** Executes a valid call, with the hub. Built as a bundle of its own, for ../v8-code-cache.ts. */
export async function executeCall(context: Context, call: ValidCall): Promise<number> {
  try {
    if (call.verb === 'ask') return await ask(context, call, call)
    const { resumeWait } = await import('./resume-wait.ts')
    return await resumeWait(context, call.id)
  } catch (error) {
    // Reported here: outside this bundle, BeckonError is another class.
    return reportError(context, error)
  }
}
