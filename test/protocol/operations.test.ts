import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withReference } from '../../scripts/http-reference.ts'
import { readArguments, writeCall } from '../../src/protocol/operations/arguments.ts'
import { operation, operations } from '../../src/protocol/operations/index.ts'

it('docs/http.md lists the operations', () => {
  const document = readFileSync('docs/http.md', 'utf8')
  expect(document, 'run: node scripts/http-reference.ts').toBe(withReference(document))
})

it('a call carries the arguments of a verb to the server unchanged', () => {
  const cases = [
    { entry: operation.answer, args: ['req_1', { value: 'yes' }], path: '/api/requests/req_1/answer' },
    { entry: operation.reschedule, args: ['req_1', 900_000], path: '/api/requests/req_1/deadline' },
    { entry: operation['runs.pause'], args: ['run_1', 'lunch'], path: '/api/runs/run_1/pause' },
    { entry: operation['kept.forget'], args: ['a name/with:signs?'], path: '/api/kept/a%20name%2Fwith%3Asigns%3F' },
    {
      entry: operation['checkpoints.save'],
      args: [{ run: 'run_1', reason: 'demand' }],
      path: '/api/runs/run_1/checkpoints',
    },
  ]
  for (const { entry, args, path } of cases) {
    const call = writeCall(entry, args)
    expect(call.path).toBe(path)
    const names = [...entry.path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
    const pattern = new RegExp(`^${entry.path.replaceAll(/:\w+/g, '([^/]+)')}$`)
    const values = pattern.exec(call.path)?.slice(1).map(decodeURIComponent) ?? []
    const params = Object.fromEntries(names.map((name, i) => [name, values[i] as string]))
    expect(readArguments(entry, { params, body: call.body, query: {} })).toEqual(args)
  }
})

it('a call with an invalid id is not sent', () => {
  for (const id of ['', '../tokens', 'a b', 'x'.repeat(101)]) {
    expect(() => writeCall(operation.get, [id])).toThrow(/^There is no/)
  }
})

it('only these POST operations may be repeated by a client', () => {
  const unsafe = operations.filter(({ method, repeatable }) => method === 'POST' && repeatable).map(({ name }) => name)
  const expected = ['attachments.add', 'judge', 'logs.append', 'messages.send', 'push.subscribe', 'raise']
  expect(unsafe.sort()).toEqual(expected)
})

it('every operation needs the scope of the contract, and there are no others', () => {
  const found: Record<string, string[]> = { everybody: [], ask: [], run: [], answer: [], admin: [] }
  for (const { method, path, scope } of operations) found[scope ?? 'everybody']?.push(`${method} ${path}`)
  for (const calls of Object.values(found)) calls.sort()
  expect(found).toEqual(scopes)
})

// Written out by hand: rights, routes and docs all follow from the table, so nothing else would notice a wrong scope.
const scopes: Record<string, string[]> = {
  everybody: ['GET /api/openapi.json', 'GET /healthz', 'GET /readyz', 'POST /api/session'],
  ask: [
    'DELETE /api/session',
    'GET /api/callbacks/secret',
    'GET /api/docs',
    'GET /api/events',
    'GET /api/ids',
    'GET /api/limits',
    'GET /api/requests',
    'GET /api/requests/:id',
    'GET /api/requests/:id/attachments',
    'GET /api/requests/:id/attachments/:attachment',
    'GET /api/requests/:id/messages/unheard',
    'GET /api/rules',
    'GET /api/runs/:id',
    'GET /api/session',
    'POST /api/requests',
    'POST /api/requests/:id/attachments',
    'POST /api/requests/:id/messages',
    'POST /api/requests/:id/value',
    'POST /mcp',
    'PUT /api/requests/:id/cancel',
    'PUT /api/requests/:id/delivery',
    'PUT /api/requests/:id/messages/heard',
    'PUT /api/requests/:id/rule',
  ],
  run: [
    'GET /api/checkpoints/:id',
    'GET /api/runs',
    'GET /api/runs/:id/log',
    'GET /api/runs/:run/checkpoints',
    'PATCH /api/runs/:id',
    'POST /api/runs',
    'POST /api/runs/:id/log',
    'POST /api/runs/:id/pause',
    'POST /api/runs/:id/resume',
    'POST /api/runs/:id/stop',
    'POST /api/runs/:run/checkpoints',
    'POST /api/tokens',
  ],
  answer: [
    'DELETE /api/kept/:name',
    'DELETE /api/pairings/:id',
    'DELETE /api/push/subscriptions',
    'DELETE /api/requests/:id/draft',
    'DELETE /api/rules/:id',
    'DELETE /api/sessions',
    'DELETE /api/sessions/:id',
    'GET /api/checkpoints/:id/restore',
    'GET /api/inbox',
    'GET /api/kept',
    'GET /api/pairings',
    'GET /api/push/key',
    'GET /api/requests/:id/draft',
    'GET /api/requests/:id/drafts',
    'GET /api/requests/:id/earlier',
    'GET /api/sessions',
    'GET /metrics',
    'POST /api/checkpoints/:id/restore',
    'POST /api/notify/:name/pairing',
    'POST /api/push/subscriptions',
    'POST /api/push/test',
    'POST /api/requests/:id/verdict',
    'POST /api/session/links',
    'POST /api/session/phone-links',
    'PUT /api/requests/:id/answer',
    'PUT /api/requests/:id/deadline',
    'PUT /api/requests/:id/decline',
    'PUT /api/requests/:id/draft',
    'PUT /api/requests/:id/drafts/discard',
    'PUT /api/requests/:id/file',
    'PUT /api/requests/:id/skip',
    'PUT /api/requests/:id/snooze',
  ],
  admin: [
    'DELETE /api/notify/:name',
    'DELETE /api/tokens/:id',
    'GET /api/notify',
    'GET /api/tokens',
    'PATCH /api/notify/:name',
    'POST /api/notify',
    'POST /api/notify/:name/test',
  ],
}
