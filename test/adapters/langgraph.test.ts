import { expect, it, onTestFinished, vi } from 'vitest'
import { answerInterrupts } from '../../src/adapters/langgraph.ts'
import { createSandbox, until } from '../cli/sandbox.ts'

it('asks about each shape of an interrupt, and answers each by its id', async () => {
  const { hub, cwd } = await createSandbox()
  const interrupts = [
    { id: 'a', value: 'What is it called?' },
    {
      id: 'b',
      value: { question: 'Where to?', options: ['staging', 'production'], multiSelect: true, context: 'Tests pass.' },
    },
    { id: 'c', value: { questions: [{ question: 'When?' }], required: false } },
    { id: 'd', value: { amount: 12, to: ['Mina'] } },
    { id: 'e', value: undefined },
    { id: 'f', value: { question: 'Still there?', timeout: '1h', onTimeout: 'fail' } },
  ]
  const resuming = answerInterrupts(
    hub,
    { next: ['a'], tasks: interrupts.map(one => ({ interrupts: [one] })) },
    { thread: 't', cwd },
  )
  const requests = await until(async () => {
    const { requests } = await hub.list()
    return requests.length === interrupts.length ? requests : null
  }, 'all requests')
  const byId = Object.fromEntries(requests.map(request => [request.key?.split('/').at(-1), request]))
  expect(byId.b).toMatchObject({ context: 'Tests pass.', questions: [{ multiSelect: true }] })
  expect(byId.d?.context).toContain('"amount": 12')
  await hub.decline(byId.e?.id ?? '', { reason: 'no idea' })
  await hub.answer(byId.d?.id ?? '', { value: 'fine' })
  await hub.skip(byId.c?.id ?? '')
  await hub.answer(byId.b?.id ?? '', { value: ['staging', 'production'] })
  await hub.answer(byId.a?.id ?? '', { value: 'Shop' })
  await hub.reschedule(byId.f?.id ?? '', 1)
  expect(await resuming).toEqual({
    resume: {
      a: expect.objectContaining({ status: 'answered', value: 'Shop' }),
      b: expect.objectContaining({ status: 'answered', value: ['staging', 'production'] }),
      c: expect.objectContaining({ status: 'skipped', value: null }),
      d: expect.objectContaining({ status: 'answered', value: 'fine' }),
      e: expect.objectContaining({ status: 'declined', value: null, reason: 'no idea' }),
      f: expect.objectContaining({ status: 'expired', value: null }),
    },
  })
})

it('asks anew where a yes was handed over long ago and nothing came of it', async () => {
  const { hub, cwd } = await createSandbox()
  const review = { action_requests: [{ name: 'deploy', args: { to: 'staging' } }], review_configs: [] }
  const answer = (interrupted: object) => answerInterrupts(hub, interrupted, { thread: 't', cwd })
  const first = answer({ __interrupt__: [{ id: 'a', value: review }] })
  await hub.answer((await pending()).id, { value: 'yes' })
  const approved = { resume: { a: { decisions: [{ type: 'approve' }] } } }
  expect(await first).toEqual(approved)
  // The program died before the graph got it: the same yes again.
  expect(await answer({ __interrupt__: [{ id: 'a', value: review }] })).toEqual(approved)
  expect((await hub.list({ status: 'all' })).requests).toHaveLength(1)
  expect(await answer({ tasks: ['a state of the graph'] })).toBeNull()

  const inTwentyMinutes = Date.now() + 20 * 60_000
  onTestFinished(vi.spyOn(Date, 'now').mockImplementation(() => inTwentyMinutes).mockRestore)
  const later = answer({ __interrupt__: [{ id: 'a', value: review }] })
  await hub.decline((await pending()).id, { reason: 'too late' })
  const message = expect.stringContaining('declined: A person said no: too late')
  expect(await later).toEqual({ resume: { a: { decisions: [{ type: 'reject', message }] } } })

  function pending() {
    return until(async () => (await hub.list()).requests[0], 'a request', Number.POSITIVE_INFINITY)
  }
})
