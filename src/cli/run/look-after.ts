import type { HubApi } from '../../protocol/hub.ts'
import type { Run } from '../../protocol/run.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Context } from '../context.ts'

/** What looking after runs needs to know, and where it says what it did. */
export interface RunContext {
  readonly env: NodeJS.ProcessEnv
  readonly stderr: { write(text: string): unknown }
}

/**
 * For commands that show runs or requests to a person: takes over the runs of this machine whose supervisor died, so that
 * what is shown is true. Returns those that nobody looks after even so, having said it. Never keeps a command from reading.
 */
export async function lookAfterRuns(context: Context, hub: HubApi): Promise<Set<string>> {
  // An agent waits for this command, and its run may be the one.
  if (context.env.BECKON_RUN !== undefined) return new Set()
  try {
    const { unattendedRuns, takeOver } = await import('../../supervisor/recovery/unattended.ts')
    return sayUnattended(context, await takeOver(hub, context.env, await unattendedRuns(hub, context.env)))
  } catch {
    return new Set()
  }
}

/** For commands that settle a request: the settled request is of no use to a run that nobody looks after. */
export async function lookAfterRunOf(
  context: RunContext,
  hub: HubApi,
  run: string | null,
): Promise<() => Promise<void>> {
  if (run === null) return async () => {}
  const { isLostHere, takeOver } = await import('../../supervisor/recovery/unattended.ts')
  const { homePath } = await import('../../system/home.ts')
  const seen = await hub.runs.get(run).catch(() => null)
  if (!seen || !isLostHere(homePath(context.env), seen)) return async () => {}
  return async () => {
    const left = await takeOver(hub, context.env, [seen]).catch(() => [seen])
    if (left.length > 0) sayUnattended(context, left)
    else context.stderr.write(`beckon: ${describeTakeOver(await hub.runs.get(seen.id))}\n`)
  }
}

function describeTakeOver({ id, status, reason }: Run): string {
  const end = reason === null ? '' : `: ${harmlessTitle(reason)}`
  if (status === 'failed') return `Nobody had looked after ${id}, and it could not be brought back${end}`
  return `Nobody had looked after ${id}. The run was taken over.`
}

function sayUnattended({ stderr }: RunContext, runs: readonly Run[]): Set<string> {
  for (const { id } of runs) {
    stderr.write(`beckon: Nobody looks after ${id}: its supervisor died. To take it over: beckon run --recover\n`)
  }
  return new Set(runs.map(({ id }) => id))
}
