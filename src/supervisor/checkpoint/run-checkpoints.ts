import type { PhaseItem } from '../../blocks/items.ts'
import type { Checkpoint } from '../../protocol/checkpoint.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import type { Run } from '../../protocol/run.ts'
import { handedSecrets } from '../requests-of-run.ts'
import { beginOfPhase, takeCheckpoint } from './checkpoint.ts'
import { reviewContext } from './review.ts'

export interface MomentsOptions {
  hub: HubApi
  run: Run
  /** The agent's. */
  env: NodeJS.ProcessEnv
  logPosition: () => number
  say: (text: string) => void
  signal: AbortSignal
}

/** The moments of a run that are kept, and what is shown of the time between them. None of it may stop the run. */
export function createMoments({ hub, run, env, logPosition, say, signal }: MomentsOptions) {
  return {
    keep,
    keepAsking,
    keepAskingOnce,
    contextOfPhase,
  }

  async function keep(reason: Checkpoint['reason'], requests: string[] = []): Promise<void> {
    try {
      const { session } = run
      await takeCheckpoint({ hub, run, reason, requests, env, session, logPosition: logPosition(), signal })
    } catch (error) {
      if (!signal.aborted) say(`There is no checkpoint of this moment: ${reasonOf(error)}`)
    }
  }

  async function keepAsking({ id, kind }: Request): Promise<void> {
    await keep(kind === 'review' ? 'phase' : 'request', [id])
  }

  async function keepAskingOnce(request: Request): Promise<void> {
    const kept = await hub.checkpoints.list(run.id, { limit: 100 }).catch(() => [])
    const isKept = kept.some(
      ({ reason, requests }) => (reason === 'request' || reason === 'phase') && requests[0] === request.id,
    )
    if (!isKept) await keepAsking(request)
  }

  async function contextOfPhase({ files }: PhaseItem): Promise<string | null> {
    try {
      const [since, secrets] = await Promise.all([beginOfPhase(hub, run.id), handedSecrets(hub, run.id)])
      return await reviewContext({ cwd: run.cwd, files, since, secrets, signal })
    } catch (error) {
      say(`What the phase has changed cannot be shown: ${reasonOf(error)}`)
      return null
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
