import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { openLocalHub } from '../../src/open-hub.ts'
import { databases, testKey } from '../setup/databases.ts'
import { call, startServer } from './serving.ts'

const shipIt = (n: number) => ({ questions: [{ question: `Ship ${n}?`, options: ['yes', 'no'] }] })

async function turns(count: number) {
  for (let i = 0; i < count; i += 1) await turn()
}

describe.each(databases)('waiting over HTTP on $name', ({ fresh }) => {
  it('misses no answer of another process, whether it comes before the wait, beside it or after it', async () => {
    const database = await fresh()
    const server = await startServer(database, { rateLimit: null })
    const elsewhere = await openLocalHub({ database, env: { BECKON_KEY: testKey }, caller: { user: 'other' } })
    const token = await server.token('ask')
    await call(server, 'GET', '/api/requests/req_none?wait=1', { token })
    const outcomes = await Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        const asked = await call(server, 'POST', '/api/requests', { token, body: shipIt(n) })
        const { id } = asked.json
        const answered = turns(n % 7).then(() => elsewhere.answer(id, { value: 'yes' }))
        await turns((n * 5) % 11)
        // Some come when it is long settled.
        if (n % 3 === 0) await answered
        const waited = await call(server, 'GET', `/api/requests/${id}?wait=600`, { token })
        await answered
        return waited.json.status
      }),
    )
    expect(outcomes).toEqual(outcomes.map(() => 'answered'))
    await elsewhere.close()
  })

  it('lets nobody else wait for what an agent asks, not even right after it', async () => {
    const server = await startServer(await fresh())
    const [mine, other] = await Promise.all([server.token('ask'), server.token('ask')])
    await call(server, 'GET', '/api/requests/req_none?wait=1', { token: mine })
    const { json } = await call(server, 'POST', '/api/requests', { token: mine, body: shipIt(1) })
    const refused = await call(server, 'GET', `/api/requests/${json.id}?wait=600`, { token: other })
    expect(refused.status).toBe(404)
  })
})
