import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { withReference } from '../../scripts/http-reference.ts'
import { readArguments, writeCall } from '../../src/protocol/operations/arguments.ts'
import { operation, operations } from '../../src/protocol/operations/index.ts'

it('is what docs/http.md lists', () => {
  const document = readFileSync('docs/http.md', 'utf8')
  expect(document, 'run: node scripts/http-reference.ts').toBe(withReference(document))
})

it('carries the arguments of a verb there and back', () => {
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

it('sends text that cannot be an id nowhere', () => {
  for (const id of ['', '../tokens', 'a b', 'x'.repeat(101)]) {
    expect(() => writeCall(operation.get, [id])).toThrow(/^There is no/)
  }
})

it('states for every operation whether a client may send it again', () => {
  const unsafe = operations.filter(({ method, repeatable }) => method === 'POST' && repeatable).map(({ name }) => name)
  expect(unsafe.sort()).toEqual(['judge', 'logs.append', 'push.subscribe', 'raise'])
})
