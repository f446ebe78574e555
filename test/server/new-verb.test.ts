import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createHttpHub } from '../../src/client/http-hub.ts'
import type { Grant } from '../../src/hub/access/grant.ts'
import { restrictHub } from '../../src/hub/permissions/restrict-hub.ts'
import { openHubAndStore } from '../../src/open-hub.ts'
import type { HubApi, Run } from '../../src/protocol/index.ts'
import { type Operation, operations } from '../../src/protocol/operations/index.ts'
import { createLog } from '../../src/server/log.ts'
import { serve } from '../../src/server/serve.ts'
import { temporaryFolder, testKey } from '../setup/databases.ts'
import { call } from './test-server.ts'

// A verb that does not exist in the product: one entry of the table, and one implementation.
const entry: Operation = {
  name: 'runs.nudge',
  method: 'POST',
  path: '/api/runs/:id/nudge',
  summary: 'Nudge a run.',
  scope: 'run',
  owner: 'own-run',
  body: 'Reason',
  bodyArguments: ['reason'],
  result: 'Run',
  repeatable: false,
}
const nudge = async (id: string, reason: string) => ({ id, name: `nudged: ${reason}` })

interface Nudging extends HubApi {
  runs: HubApi['runs'] & { nudge(id: string, reason: string): Promise<Pick<Run, 'id' | 'name'>> }
}

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

async function serveNudging() {
  const table = [...operations, entry]
  const env = { BECKON_KEY: testKey }
  const { hub, store } = await openHubAndStore({ database: join(temporaryFolder(), 'beckon.db'), env })
  const extended = { ...hub, runs: { ...hub.runs, nudge } }
  const as = (grant: Grant) =>
    restrictHub({
      store,
      hub: { ...extended, raiseOrJoin: hub.as(grant).raiseOrJoin, eventPage: hub.as(grant).eventPage },
      listOf: filter => hub.list(filter),
      grant,
      operations: table,
    })
  const server = await serve({
    hub: { ...extended, as },
    log: createLog('silent'),
    version: '0.0.0',
    port: 0,
    operations: table,
  })
  open.push(hub, server)
  const client = async (scope: 'ask' | 'run' | 'answer') => {
    const { secret } = await hub.tokens.create({ scope })
    const http = createHttpHub({ url: server.url, token: secret, operations: table }) as Nudging
    open.push(http)
    return { secret, http }
  }
  return { hub, server, client }
}

it('a new verb in the table is served, and the HTTP client can call it', async () => {
  const { hub, client } = await serveNudging()
  const { id } = await hub.runs.start({ command: ['agent'], cwd: '/' })
  const { http } = await client('answer')
  expect(await http.runs.nudge(id, 'hurry')).toEqual({ id, name: 'nudged: hurry' })
})

it('a new verb in the table is authorized: scope, ownership, body and method', async () => {
  const { hub, server, client } = await serveNudging()
  const { id } = await hub.runs.start({ command: ['agent'], cwd: '/' })
  const path = `/api/runs/${id}/nudge`
  const [agent, supervisor, person] = [await client('ask'), await client('run'), await client('answer')]
  expect(await call(server, 'POST', path, { body: {} })).toMatchObject({ status: 401 })
  await expect(agent.http.runs.nudge(id, 'hurry')).rejects.toMatchObject({ code: 'not_allowed' })
  await expect(supervisor.http.runs.nudge(id, 'hurry')).rejects.toMatchObject({ code: 'not_found' })
  expect(await call(server, 'POST', path, { token: person.secret, body: { reason: 7 } })).toMatchObject({
    status: 422,
    json: { error: { details: [{ path: 'reason' }] } },
  })
  expect(await call(server, 'PUT', path, { token: person.secret, body: {} })).toMatchObject({
    status: 405,
    headers: { allow: 'POST' },
  })
})

it('a new verb in the table is documented in OpenAPI and on the page', async () => {
  const { server, client } = await serveNudging()
  const { secret: token } = await client('ask')
  const { json } = await call(server, 'GET', '/api/openapi.json', { token })
  expect(json.paths['/api/runs/{id}/nudge'].post).toMatchObject({
    operationId: 'runs.nudge',
    summary: 'Nudge a run.',
    description: 'Needs the scope `run`.',
    parameters: [{ in: 'path', name: 'id' }],
    requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Reason' } } } },
  })
  expect((await call(server, 'GET', '/api/docs', { token })).text).toContain('/api/runs/:id/nudge')
})

it('the server does not start if an entry of the table has no implementation', async () => {
  const { hub } = await openHubAndStore({
    database: join(temporaryFolder(), 'beckon.db'),
    env: { BECKON_KEY: testKey },
  })
  open.push(hub)
  const options = { hub, log: createLog('silent'), version: '0.0.0', port: 0 }
  await expect(serve({ ...options, operations: [...operations, entry] })).rejects.toThrow('has no verb runs.nudge')
  const handled: Operation = { ...entry, handler: true }
  await expect(serve({ ...options, operations: [...operations, handled] })).rejects.toThrow(
    'has no handler for runs.nudge',
  )
})
