import type { PhaseItem } from '../../blocks/items.ts'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Run } from '../../protocol/run.ts'
import { usedSecrets } from '../requests-of-run.ts'
import { phaseStart, takeCheckpoint } from './checkpoint.ts'
import { type ReviewedChanges, reviewChanges } from './review.ts'

export interface RunCheckpointsOptions {
  hub: HubApi
  run: Run
  /** The agent's environment. */
  env: NodeJS.ProcessEnv
  logPosition: () => number
  print: (text: string) => void
  signal: AbortSignal
}

export type RunCheckpoints = ReturnType<typeof createRunCheckpoints>

/** Takes the checkpoints of a run, and shows what changed between them. No failure here stops the run. */
export function createRunCheckpoints({ hub, run, env, logPosition, print, signal }: RunCheckpointsOptions) {
  return { take, takeForRequest, takeOncePerRequest, phaseChanges }

  async function take(reason: Checkpoint['reason'], requests: string[] = []): Promise<void> {
    try {
      const { session } = run
      await takeCheckpoint({ hub, run, reason, requests, env, session, logPosition: logPosition(), signal })
    } catch (error) {
      if (!signal.aborted) print(`No checkpoint was taken: ${messageOf(error)}`)
    }
  }

  async function takeForRequest({ id, kind }: Request): Promise<void> {
    await take(kind === 'review' ? 'phase' : 'request', [id])
  }

  async function takeOncePerRequest(request: Request): Promise<void> {
    const taken = await hub.checkpoints.list(run.id, { limit: 100 }).catch(() => [])
    const isTaken = taken.some(
      ({ reason, requests }) => (reason === 'request' || reason === 'phase') && requests[0] === request.id,
    )
    if (!isTaken) await takeForRequest(request)
  }

  async function phaseChanges({ files }: PhaseItem): Promise<ReviewedChanges> {
    try {
      const [since, secrets] = await Promise.all([phaseStart(hub, run.id), usedSecrets(hub, run.id)])
      return await reviewChanges({ cwd: run.cwd, files, since, secrets, signal })
    } catch (error) {
      print(`The changes of the phase cannot be shown: ${messageOf(error)}`)
      return { diff: null, context: null }
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
