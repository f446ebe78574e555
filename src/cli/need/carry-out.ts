import { invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { type DependencyType, secretTypes } from '../../protocol/status.ts'
import { notOwnValue } from '../../system/agent-context.ts'
import { isOutsideRun } from '../../system/processes/ancestors.ts'
import { agentContext } from '../agent-context.ts'
import type { Ending } from '../asking/ask-and-wait.ts'
import { deliver } from '../asking/deliver.ts'
import type { Context } from '../context.ts'
import { exitCodes } from '../output/exit-codes.ts'
import { tellNotes } from '../output/notes.ts'
import { outcomeDocument } from '../output/outcome-document.ts'
import { print } from '../output/print.ts'
import { printJson } from '../output/print-json.ts'
import type { Reporter } from '../output/reporter.ts'
import { requireExecutable, runCommand } from '../spawn-command.ts'

/** What `need` does with a value. */
export interface Effect {
  type: DependencyType
  name: string
  command: string[]
  json: boolean
  reporter: Reporter
  /** Also inside a run. */
  once?: boolean
  /** The prompt here has left its line about the outcome. */
  told?: boolean
}

/** Runs the command with the value, or prints the value, or the reference of a secret. */
export async function carryOut(context: Context, hub: HubApi, request: Request, effect: Effect): Promise<Ending> {
  const { type, command, json, reporter, told = false } = effect
  if (request.status !== 'answered') return deliver(context, hub, request, reporter, { told })
  if (command.length > 0) return useAndRun(context, hub, request, effect)
  return secretTypes.includes(type)
    ? deliver(context, hub, request, reporter)
    : useAndPrint(context, hub, request, json, effect.once)
}

/** Uses the value and runs the command with it. From here on the value exists in that process's environment alone. */
export async function useAndRun(
  context: Context,
  hub: HubApi,
  request: Request,
  { name, command, json, once }: Pick<Effect, 'name' | 'command' | 'json' | 'once'>,
): Promise<Ending> {
  await requireOwnRun(context, hub, request)
  const used = await use(hub, request, once)
  await untilLogRedacts(context, request)
  if (!json) tellNotes(context, used.request)
  return async () => {
    const exitCode = await runCommand(context, command, { [name]: used.value ?? '' }, { stdoutToStderr: json })
    if (json) await printJson(context.stdout, { ...outcomeDocument(used.request), exitCode })
    return exitCode
  }
}

/** What a program prints goes into the log of its run, which must know the secret first to redact it. */
export async function untilLogRedacts({ env }: Context, { run, id }: Request): Promise<void> {
  if (run === null || run !== env.BECKON_RUN) return
  const { homeOf } = await import('../../system/home.ts')
  const { waitUntilRedacted } = await import('../../supervisor/opened-secrets.ts')
  await waitUntilRedacted(homeOf(env), run, id)
}

async function useAndPrint(
  context: Context,
  hub: HubApi,
  request: Request,
  json: boolean,
  once?: boolean,
): Promise<number> {
  await requireOwnRun(context, hub, request)
  const { request: used, value } = await use(hub, request, once)
  try {
    await (json ? printJson(context.stdout, outcomeDocument(used, value)) : print(context.stdout, `${value ?? ''}\n`))
    if (!json) tellNotes(context, used)
    return exitCodes.fine
  } catch {
    context.stderr.write(`beckon: The value of ${request.id} was used, but could not be written. Ask again.\n`)
    return exitCodes.invalid
  }
}

/** Any process can name a run in its environment; only those that descend from the run get its values. */
async function requireOwnRun(context: Context, hub: HubApi, { id, run }: Request): Promise<void> {
  if (run === null || context.env.BECKON_URL) return
  const agent = agentContext(context)
  if (agent.marker !== null && isOutsideRun(await hub.runs.get(run))) throw notOwnValue(id, agent)
}

/** Inside a run, a value lives as long as the run: when the run is started again, it gets the value again. */
function use(hub: HubApi, request: Request, once = false) {
  return hub.use(request.id, { again: !once && request.run !== null })
}

export function checkCommand(context: Context, name: string, command: readonly string[]): void {
  if (!context.args.includes('--')) throw invalid([{ path: 'command', message: 'must come after --' }])
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw invalid([{ path: 'name', message: 'must be a valid name for an environment variable, such as STRIPE_KEY' }])
  }
  requireExecutable(context, command[0] ?? '')
}
