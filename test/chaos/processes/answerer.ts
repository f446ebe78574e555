import { setTimeout as sleep } from 'node:timers/promises'
import { textOf } from '../wording.ts'
import { runWorker } from './run-worker.ts'

interface Open {
  id: string
  kind: string
}

// Answers what is open over HTTP. Each text names the request that it is meant for and is given once, so an answer that
// reaches another asker, or a second answer, is noticed.
await runWorker(async ({ options, random, record, call, over }) => {
  for (let given = 0; !over.aborted; ) {
    const { status, body } = await call('GET', '/api/requests?limit=40')
    if (status !== 200) record({ it: 'was refused', call: 'list', reply: JSON.stringify(body).slice(0, 300) })
    const open = (body.requests ?? []) as Open[]
    await Promise.all(open.filter(() => random.chance(0.7)).map(answer))
    await sleep(50 + random.below(200))

    async function answer({ id, kind }: Open) {
      given += 1
      const text = `for ${id}: ${options.name} ${options.start}.${given}`
      record({ it: 'answers', id, text })
      const answer = kind === 'approval' ? { value: 'yes', note: text } : { value: text }
      const { status, body } = await call('PUT', `/api/requests/${id}/answer`, answer)
      if (status === 200) return record({ it: 'answered', id, won: true, text })
      const { code, details } = (body.error ?? {}) as { code?: string; details?: { outcome?: unknown } }
      const lost = status === 410 || code === 'settled_otherwise'
      if (lost) return record({ it: 'answered', id, won: false, text: textOf(details?.outcome) })
      record({ it: 'was refused', call: `answer ${id}`, reply: JSON.stringify(body).slice(0, 300) })
    }
  }
})
