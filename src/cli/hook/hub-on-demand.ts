import type { OpenedHub } from '../../hooks/hook.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { FileSealer } from '../../supervisor/file-sealer.ts'
import type { Context } from '../context.ts'
import { withFileSealer } from '../with-hub.ts'

export interface HubOnDemand {
  open(): Promise<OpenedHub & { sealer: FileSealer }>
  close(): Promise<void>
}

/** Most hooks need no hub, and opening one takes as long as everything else together. */
export function hubOnDemand(context: Context, agent: string): HubOnDemand {
  const done = Promise.withResolvers<void>()
  let opened: ReturnType<HubOnDemand['open']> | null = null
  let using: Promise<void> = Promise.resolve()
  return {
    open() {
      opened ??= open()
      return opened
    },
    async close() {
      done.resolve()
      await using
    },
  }

  async function open() {
    const ready = Promise.withResolvers<{ hub: HubApi; sealer: FileSealer }>()
    // An agent waits for the hook: others wake sleeping runs.
    using = withFileSealer(
      context,
      (hub, sealer) => {
        ready.resolve({ hub, sealer })
        return done.promise
      },
      { agent, wakes: false },
    )
    using.catch(ready.reject)
    const { openKeyedHash } = await import('../../open-hub.ts')
    const [services, hmac] = await Promise.all([ready.promise, openKeyedHash(context.env)])
    return { ...services, hmac }
  }
}
