import type { Request } from '../../protocol/request.ts'
import { endsInEffect } from '../../rules/outcomes.ts'
import type { Context } from '../context.ts'
import { howToUse } from '../output/describe-outcome.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { outcomeDocument, outcomeLines } from '../output/outcome-document.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import { beckonReporter } from '../output/reporter.ts'
import { isToolCall, resumeCommand } from '../resume-command.ts'
import { undelivered } from './deliver.ts'

/** A yes, or a value, that nobody has acted on yet. */
export function isUnused(request: Request): boolean {
  return endsInEffect(request) && request.usedAt === null
}

/** A caller that only waits must not take a yes for something that was done, so it learns what to type. */
export async function reportUnused(context: Context, request: Request, json: boolean): Promise<number> {
  const resume = isToolCall(request) ? null : resumeCommand(request)
  const isDependency = request.kind === 'dependency'
  try {
    if (json) await printJson(context.stdout, { ...outcomeDocument(request), resume })
    else if (isDependency) await print(context.stdout, outcomeLines(request))
  } catch (error) {
    return undelivered(context, request, beckonReporter(), error)
  }
  // Which command needs the value is not stored.
  const how = isDependency ? `${resume} [-- COMMAND]` : resume
  context.stderr.write(`beckon: ${howToUse(request, how)}\n`)
  return exitCodes.effectPending
}
