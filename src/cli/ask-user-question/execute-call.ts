import { config } from 'zod'
import type { Context } from '../context.ts'
import type { AskCall, WaitCall } from './arguments.ts'
import { ask } from './ask.ts'
import type { AskedQuestion } from './questions.ts'
import { report } from './report-error.ts'

// A parser that is compiled pays off from the second ask on, and a call asks once.
config({ jitless: true })

export type GoodCall = WaitCall | (AskCall & { questions: AskedQuestion[] })

/** Behind a good call: the hub and all that is loaded for it. Built as a bundle of its own, for ../compiled.ts. */
export async function executeCall(context: Context, call: GoodCall): Promise<number> {
  try {
    if (call.verb === 'ask') return await ask(context, call.questions, call)
    const { resumeWait } = await import('./resume-wait.ts')
    return await resumeWait(context, call.id)
  } catch (error) {
    // Here and not by the caller: outside of this bundle our errors are of another class.
    return report(context, error)
  }
}
