import { describe, expect, it } from 'vitest'
import { decideCall } from '../../src/tool-calls/decide-call.ts'
import { planCall } from '../../src/tool-calls/plan-call.ts'
import { raiseCall } from '../../src/tool-calls/raise-call.ts'
import type { ToolCall } from '../../src/tool-calls/tool-call.ts'
import { createSandbox } from '../cli/sandbox.ts'

const surroundings = { env: {}, rules: [], hmac: (name: string, value: string) => `${name}=${value}` }

const call: ToolCall = {
  agent: 'claude-code',
  session: 'session-1',
  id: 'toolu_1',
  tool: 'AskUserQuestion',
  input: {
    questions: [
      { question: 'Which port?', header: 'Port', multiSelect: false, options: [option('80'), option('443')] },
      {
        question: 'Which port for tests?\n',
        header: 'Port 2',
        multiSelect: false,
        options: [option('80'), option('443')],
      },
      {
        question: '무엇을 배포할까요?',
        header: '배포',
        multiSelect: true,
        options: [option('웹'), option('서버, API')],
      },
    ],
    metadata: { source: 'x' },
  },
  cwd: '/work',
  run: null,
}

describe('a call of AskUserQuestion', () => {
  it('gets each answer under the exact text of its question, and keeps the rest of its input', async () => {
    const { hub } = await createSandbox()
    const request = await raiseCall(hub, planCall(call, surroundings))
    const { request: settled } = await hub.answer(request.id, {
      answers: [
        { id: 'q1', selected: ['443'] },
        { id: 'q2', text: '8080, only here' },
        { id: 'q3', selected: ['웹', '서버, API'], text: '그리고 문서' },
      ],
    })
    const decision = await decideCall(hub, call, settled, { surroundings, nonce: 'n1' })
    expect(decision).toEqual({
      behavior: 'allow',
      note: null,
      input: {
        ...(call.input as object),
        answers: {
          'Which port?': '443',
          'Which port for tests?\n': '8080, only here',
          '무엇을 배포할까요?': '웹, 서버, API, 그리고 문서',
        },
      },
    })
  })

  it('is told that it has no answer when a person declines', async () => {
    const { hub } = await createSandbox()
    const request = await raiseCall(hub, planCall(call, surroundings))
    const { request: settled } = await hub.decline(request.id, { reason: 'ask later' })
    const decision = await decideCall(hub, call, settled, { surroundings, nonce: 'n1' })
    expect(decision).toEqual({
      behavior: 'deny',
      message: 'A person declined to answer: ask later. Do not assume an answer.',
    })
  })

  it('is the same ask when it is made again, and another one in another session', async () => {
    const { hub } = await createSandbox()
    const first = await raiseCall(hub, planCall(call, surroundings))
    expect((await raiseCall(hub, planCall(call, surroundings))).id).toBe(first.id)
    expect((await raiseCall(hub, planCall({ ...call, session: 'session-2' }, surroundings))).id).not.toBe(first.id)
  })
})

function option(label: string) {
  return { label, description: `About ${label}` }
}
