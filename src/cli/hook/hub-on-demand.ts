import type { OpenedHub } from '../../hooks/hook.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Context } from '../context.ts'
import { withHub } from '../with-hub.ts'

export interface HubOnDemand {
  open(): Promise<OpenedHub>
  close(): Promise<void>
}

/** Most hooks need no hub, and opening one takes as long as everything else together. */
export function hubOnDemand(context: Context, agent: string): HubOnDemand {
  const done = Promise.withResolvers<void>()
  let opened: Promise<OpenedHub> | null = null
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

  async function open(): Promise<OpenedHub> {
    const ready = Promise.withResolvers<HubApi>()
    // An agent waits for the hook: others wake sleeping runs.
    using = withHub(
      context,
      hub => {
        ready.resolve(hub)
        return done.promise
      },
      { agent, wakes: false },
    )
    using.catch(ready.reject)
    const { openKeyedHash } = await import('../../open-hub.ts')
    const [hub, hmac] = await Promise.all([ready.promise, openKeyedHash(context.env)])
    return { hub, hmac }
  }
}
