import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Settlement } from '../../../src/protocol/index.ts'
import { runWorker } from './run-worker.ts'

// Settles pending requests, with a text that identifies this worker.
await runWorker(async ({ options, hub, record, random, over }) => {
  for (let given = 0; !over.aborted; ) {
    const { requests } = await hub.list({ limit: 30 })
    await Promise.all(
      requests.map(async request => {
        if (random.chance(0.3)) return
        given += 1
        const mine = `${options.name}, number ${given}`
        const { won, replay, request: settled } = await settle(request, mine)
        record({ result: 'settled', id: request.id, won, replay, mine, outcome: settled.outcome })
      }),
    )
    await sleep(random.below(25))
  }

  function settle({ id, required, kind }: Request, mine: string): Promise<Settlement> {
    const way = random.below(10)
    if (way === 0) return hub.decline(id, { reason: mine })
    if (way === 1 && !required) return hub.skip(id, { note: mine })
    // The value of a secret is not visible, so the note carries the text.
    return hub.answer(id, kind === 'dependency' ? { value: `secret of ${id}`, note: mine } : { value: mine })
  }
})
