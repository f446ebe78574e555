import { describe, expect, it } from 'vitest'
import { eventSchema, requestSchema, runSchema } from '../../src/protocol/index.ts'
import { operations } from '../../src/protocol/operations/index.ts'
import { databases } from '../setup/databases.ts'
import { type CallOptions, call, startServer } from './test-server.ts'

const shipIt = { questions: [{ question: 'Ship it?', options: ['yes', 'no'] }] }
const apiKey = { kind: 'dependency', type: 'api_key', name: 'API_KEY', description: 'To call the API' } as const

// What a client can rely on that was written from the description of the API alone.
describe.each(databases)('the HTTP API on $name', ({ fresh }) => {
  async function start() {
    const server = await startServer(await fresh())
    const [agent, person] = [
      await server.token('ask', { name: 'agent' }),
      await server.token('answer', { name: 'minji' }),
    ]
    const as =
      (token: string) =>
      (method: string, path: string, body?: unknown, more: CallOptions = {}) =>
        call(server, method, path, { token, ...(body === undefined ? {} : { body }), ...more })
    return { server, asking: as(agent), answering: as(person) }
  }

  it('creates one request per key, given in the header or in the body', async () => {
    const { asking } = await start()
    const headers = { 'idempotency-key': 'deploy-7' }
    const first = await asking('POST', '/api/requests', shipIt, { headers })
    expect([first.status, first.headers.location]).toEqual([201, `/api/requests/${first.json.id}`])
    expect(requestSchema.parse(first.json)).toMatchObject({ key: 'deploy-7', status: 'pending', outcome: null })
    expect(await asking('POST', '/api/requests', shipIt, { headers })).toMatchObject({ status: 200, json: first.json })
    const inBody = await asking('POST', '/api/requests', { ...shipIt, key: 'deploy-7' })
    expect(inBody).toMatchObject({ status: 200, json: first.json })
    const other = await asking('POST', '/api/requests', { ...shipIt, context: 'other' }, { headers })
    expect(other).toMatchObject({ status: 409, json: { error: { code: 'key_conflict' } } })
    const both = await asking('POST', '/api/requests', { ...shipIt, key: 'deploy-8' }, { headers })
    expect(both).toMatchObject({ status: 422, json: { error: { code: 'invalid', details: [{ path: 'key' }] } } })
  })

  it('returns 200 for an answer and a replay, 409 with the winner, 422 with paths, and 404', async () => {
    const { asking, answering } = await start()
    const { id } = (await asking('POST', '/api/requests', shipIt)).json
    const path = `/api/requests/${id}/answer`
    const invalid = await answering('PUT', path, { answers: [{ id: 'q1', selected: ['maybe'] }] })
    expect(invalid).toMatchObject({ status: 422, json: { error: { code: 'invalid' } } })
    expect(invalid.json.error.details).toEqual([{ path: 'answer', message: expect.any(String) }])
    const won = await answering('PUT', path, { answers: [{ id: 'q1', selected: ['yes'] }], note: 'go' })
    expect(won).toMatchObject({ status: 200, json: { status: 'answered', outcome: { by: 'minji', note: 'go' } } })
    expect(won.headers['beckon-replay']).toBeUndefined()
    const replay = await answering('PUT', path, { value: 'yes', note: 'go' })
    expect(replay).toMatchObject({ status: 200, json: won.json, headers: { 'beckon-replay': 'true' } })
    const lost = await answering('PUT', path, { value: 'no' })
    expect(lost).toMatchObject({ status: 409, json: { error: { code: 'settled_otherwise' } } })
    expect(lost.json.error.details).toEqual({ outcome: won.json.outcome, request: won.json })
    for (const verb of ['skip', 'decline', 'cancel']) {
      expect((await answering('PUT', `/api/requests/${id}/${verb}`, {})).status).toBe(409)
    }
    expect((await answering('PUT', '/api/requests/req_none/answer', { value: 'yes' })).status).toBe(404)
  })

  it('returns 410 with the outcome for a cancelled, expired or orphaned request', async () => {
    const { server, asking, answering } = await start()
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const orphan = await server.hub.raise({ ...shipIt, run: run.id })
    await server.hub.runs.change(run.id, { status: 'failed', reason: 'It crashed' })
    const { id } = (await asking('POST', '/api/requests', shipIt)).json
    await asking('PUT', `/api/requests/${id}/cancel`, { reason: 'no need' })
    const expired = await server.hub.raise({ ...shipIt, context: 'late', timeout: 1, onTimeout: 'fail' })
    await server.hub.wait(expired.id)
    for (const [one, status] of [
      [id, 'cancelled'],
      [expired.id, 'expired'],
      [orphan.id, 'orphaned'],
    ]) {
      const { status: code, json } = await answering('PUT', `/api/requests/${one}/answer`, { value: 'yes' })
      expect([status, code, json.error.code]).toEqual([status, 410, 'settled_otherwise'])
      expect(json.error.details.outcome.status).toBe(status)
    }
  })

  it('waits until the request is settled or the time is up, and records the delivery once', async () => {
    const { server, asking, answering } = await start()
    const { id } = (await asking('POST', '/api/requests', shipIt)).json
    expect((await asking('GET', `/api/requests/${id}?wait=0`)).json.status).toBe('pending')
    expect((await asking('GET', `/api/requests/${id}?wait=0.05`)).json.status).toBe('pending')
    expect((await asking('PUT', `/api/requests/${id}/delivery`, {})).json.error.code).toBe('not_settled')
    const waiting = asking('GET', `/api/requests/${id}?wait=30`)
    await answering('PUT', `/api/requests/${id}/answer`, { value: 'yes' })
    expect(await waiting).toMatchObject({ status: 200, json: { status: 'answered', deliveredAt: null } })
    const delivered = await asking('PUT', `/api/requests/${id}/delivery`, {})
    expect(delivered).toMatchObject({ status: 200, json: { deliveredAt: expect.any(String) } })
    expect((await asking('PUT', `/api/requests/${id}/delivery`)).json).toEqual(delivered.json)
    const types = (await server.hub.events()).map(({ type }) => type)
    expect(types).toEqual(['request.created', 'request.answered', 'request.delivered'])
    for (const wait of ['abc', '-1', 'NaN']) {
      const { status, json } = await asking('GET', `/api/requests/${id}?wait=${wait}`)
      expect([status, json.error.details]).toEqual([422, [{ path: 'wait', message: 'must be a number of seconds' }]])
    }
  })

  it('returns a sealed value once, with no-store', async () => {
    const { asking, answering } = await start()
    const { id } = (await asking('POST', '/api/requests', apiKey)).json
    expect(await asking('POST', `/api/requests/${id}/value`, {})).toMatchObject({
      status: 409,
      json: { error: { code: 'not_settled' } },
    })
    const answered = await answering('PUT', `/api/requests/${id}/answer`, { value: 'sk-0123456789' })
    expect(answered.text).not.toContain('sk-0123456789')
    const [one, other] = await Promise.all([0, 1].map(() => asking('POST', `/api/requests/${id}/value`)))
    const sorted = [one, other].sort((a, b) => (a?.status ?? 0) - (b?.status ?? 0))
    expect(sorted).toMatchObject([
      { status: 200, json: { value: 'sk-0123456789' }, headers: { 'cache-control': 'no-store' } },
      { status: 409, json: { error: { code: 'used' } } },
    ])
  })

  it('lists requests in pages without gaps or duplicates, with every filter', async () => {
    const { server, asking, answering } = await start()
    const run = await server.hub.runs.start({ command: ['agent'], cwd: '/work' })
    const inRun = await server.hub.raise({ ...shipIt, run: run.id })
    const ids: string[] = []
    for (let i = 0; i < 7; i += 1)
      ids.push((await asking('POST', '/api/requests', { ...shipIt, context: `${i}` })).json.id)
    await answering('PUT', `/api/requests/${ids[0]}/answer`, { value: 'yes' })
    const listed: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { json } = await asking('GET', `/api/requests?limit=2${after ? `&after=${after}` : ''}`)
      listed.push(...json.requests.map((one: { id: string }) => one.id))
      after = json.next
    }
    expect(listed).toEqual(ids.slice(1))
    const found = async (query: string) =>
      (await answering('GET', `/api/requests?${query}`)).json.requests.map((one: { id: string }) => one.id)
    expect(await found('status=answered')).toEqual([ids[0]])
    expect(await found(`run=${run.id}`)).toEqual([inRun.id])
    expect(await found('status=all&order=desc&limit=2')).toEqual([ids[6], ids[5]])
    expect(await found('kind=approval')).toEqual([])
    for (const query of ['limit=x', 'limit=-1', 'status=done', 'kind=x', 'foo=1', 'order=up', 'limit=1e400']) {
      const { status, json } = await answering('GET', `/api/requests?${query}`)
      expect([query, status, json.error.details[0].path]).toEqual([query, 422, query.split('=')[0]])
    }
    // An invalid id matches nothing, in every database.
    for (const hostile of ['\0', "%'; drop table requests --", 'x'.repeat(5_000)]) {
      for (const name of ['after', 'run', 'search']) {
        const { status } = await answering('GET', `/api/requests?${name}=${encodeURI(hostile)}`)
        expect([name, hostile.slice(0, 20), status < 500]).toEqual([name, hostile.slice(0, 20), true])
      }
      for (const path of ['/api/requests/', '/api/runs/', '/api/checkpoints/', '/api/requests/req_x/']) {
        const { status } = await answering('GET', `${path}${encodeURI(hostile)}`)
        expect([path, hostile.slice(0, 20), status]).toEqual([path, hostile.slice(0, 20), 404])
      }
    }
  })

  it('returns events in pages after a cursor, named since or after', async () => {
    const { server, asking, answering } = await start()
    for (let i = 0; i < 5; i += 1) await server.hub.raise({ ...shipIt, context: `${i}` })
    const mine = (await asking('POST', '/api/requests', shipIt)).json
    for (const query of ['since=2&limit=2', 'after=2&limit=2']) {
      const { json } = await answering('GET', `/api/events?${query}`)
      expect([json.events.map((event: { id: number }) => event.id), json.last]).toEqual([[3, 4], 4])
      for (const event of json.events) eventSchema.parse(event)
    }
    // Events of others are left out, but the cursor moves past them.
    const first = (await asking('GET', '/api/events?limit=3')).json
    expect(first).toEqual({ events: [], last: 3 })
    const second = (await asking('GET', `/api/events?after=${first.last}&limit=3`)).json
    expect(second).toMatchObject({ events: [{ id: 6, request: mine.id }], last: 6 })
    const client = await server.client('ask')
    await client.raise({ ...shipIt, context: 'seventh' })
    expect((await client.events({ limit: 2 })).map(({ id }) => id)).toEqual([7])
  })

  it('stores runs, their log and their checkpoints', async () => {
    const { server, answering } = await start()
    const started = await answering('POST', '/api/runs', { command: ['agent'], cwd: '/work', name: 'nightly' })
    expect([started.status, runSchema.parse(started.json).name]).toEqual([201, 'nightly'])
    const path = `/api/runs/${started.json.id}`
    expect((await answering('PATCH', path, { status: 'running', pid: 7 })).json).toMatchObject({
      status: 'running',
      pid: 7,
    })
    for (const [verb, status] of [
      ['pause', 'paused'],
      ['resume', 'running'],
    ]) {
      expect((await answering('POST', `${path}/${verb}`)).json.status).toBe(status)
    }
    expect((await answering('POST', `${path}/checkpoints`, { reason: 'demand' })).status).toBe(201)
    expect((await answering('GET', `${path}/checkpoints`)).json.checkpoints).toHaveLength(1)
    expect((await answering('GET', `${path}/log`)).status).toBe(200)
    expect((await answering('POST', `${path}/stop`, { reason: 'enough' })).json.status).toBe('stopped')
    expect((await answering('GET', '/api/runs')).json.runs).toMatchObject([{ id: started.json.id }])
    expect((await server.hub.runs.get(started.json.id)).status).toBe('stopped')
  })
})

describe('a path of the HTTP API', () => {
  it('returns 405 with the allowed methods, or 404', async () => {
    const [sqlite] = databases
    const server = await startServer((await sqlite?.fresh()) ?? '')
    const token = await server.token('admin')
    const paths = new Set(operations.map(({ path }) => path))
    for (const path of paths) {
      const url = path.replaceAll(/:\w+/g, 'x')
      const known: string[] = operations.filter(one => one.path === path).map(({ method }) => method)
      const allow = [...known, ...(known.includes('GET') ? ['HEAD'] : [])].sort().join(', ')
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        if (known.includes(method)) continue
        const { status, headers, json } = await call(server, method, url, { token })
        expect([method, url, status, headers.allow]).toEqual([method, url, 405, allow])
        expect(json.error).toMatchObject({ code: 'not_allowed', details: null })
        expect(headers['access-control-allow-origin']).toBeUndefined()
      }
    }
    for (const path of [
      '/api',
      '/api/',
      '/api/nothing',
      '/api/requests/x/y',
      '/api/requests//answer',
      '/API/requests',
    ]) {
      const { status, json } = await call(server, 'PUT', path, { token })
      expect([path, status === 404 || status === 405, json.error.code]).toEqual([path, true, expect.any(String)])
    }
    expect(await call(server, 'POST', '/')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } })
    const head = await call(server, 'HEAD', '/api/requests', { token })
    expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'application/json'])
    const short = await call(server, 'HEAD', '/api/requests/req_x?wait=60', { token })
    expect([short.status, short.text]).toEqual([404, ''])
  })
})
