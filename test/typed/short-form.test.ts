import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Hub, openHub } from '../../src/index.ts'

let hub: Hub

beforeAll(async () => {
  hub = await openHub({ database: ':memory:', channel: 'test', env: {} })
})

afterAll(() => hub.close())

it('asks a single question in short', async () => {
  const asking = hub.ask({ question: 'Ship it?', options: ['yes', 'no'], context: 'All tests pass.', key: 'ship' })
  const { id } = await hub.raise({
    questions: [{ question: 'Ship it?', options: ['yes', 'no'] }],
    context: 'All tests pass.',
    key: 'ship',
  })
  await hub.answer(id, { value: 'no', by: 'mina' })
  expect(await asking).toMatchObject({ id, status: 'answered', value: 'no', by: 'mina' })
})

it('has the value in the outcome of every request that it returns', async () => {
  const { id, outcome } = await hub.raise({ question: 'Which?', options: ['a', 'b', 'c'], multiSelect: true })
  expect(outcome).toBeNull()
  const waiting = hub.wait(id)
  const settled = { id, value: ['a', 'c'] }
  expect((await hub.answer(id, { value: ['c', 'a'] })).request.outcome).toMatchObject(settled)
  expect((await waiting).outcome).toMatchObject(settled)
  expect((await hub.get(id)).outcome).toMatchObject(settled)
  expect((await hub.confirmDelivery(id)).outcome).toMatchObject(settled)
  const { requests } = await hub.list({ status: 'answered', search: 'Which?' })
  expect(requests.map(request => request.outcome)).toMatchObject([settled])
})

it('names the fields of a wrong ask as the program wrote them', async () => {
  const short = hub.ask({ question: 'Ship it?', options: ['yes', 'yes'], default: 'maybe' })
  await expect(short).rejects.toMatchObject({
    code: 'invalid',
    message: expect.stringMatching(/^options\[1\]\.label: is offered twice; default: /),
  })
  const long = hub.ask({ questions: [{ question: 'Ship it?', options: ['yes', 'yes'] }] })
  await expect(long).rejects.toThrow(/^questions\[0\]\.options\[1\]/)
  await expect(hub.ask({ question: 'Ship it?', optoins: [] } as never)).rejects.toThrow('optoins: is not a known field')
})
