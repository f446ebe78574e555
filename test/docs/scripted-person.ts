import type { AnswerInput, HubApi, Request } from '../../src/protocol/index.ts'
import type { RunSettings } from './blocks.ts'

type Script = Pick<RunSettings, 'answer' | 'decline' | 'provide' | 'first'>

export interface ScriptedPerson {
  leave(): Promise<void>
}

/** Answers every request as the script says, as soon as it is there; nothing where nobody answers. */
export async function startPerson(hub: HubApi, script: Script): Promise<ScriptedPerson> {
  if (script.first) for (const request of (await hub.list()).requests) await settle(hub, request, script)
  const leaving = new AbortController()
  const ready = Promise.withResolvers<void>()
  const working = work()
  await Promise.race([ready.promise, working])
  return {
    async leave() {
      leaving.abort()
      await working
    },
  }

  async function work() {
    for await (const event of hub.follow({ signal: leaving.signal, onReady: () => ready.resolve() }))
      if (event.type === 'request.created' && event.request) await settle(hub, await hub.get(event.request), script)
  }
}

async function settle(hub: HubApi, request: Request, { answer, decline, provide }: Script): Promise<void> {
  if (request.status !== 'pending') return
  if (decline !== undefined) await hub.decline(request.id, { reason: decline })
  else if (request.kind === 'dependency' && provide !== undefined) await hub.answer(request.id, { value: provide })
  else if (answer !== undefined && answer !== null) await hub.answer(request.id, answerTo(request, answer))
}

function answerTo(request: Request, value: string | string[]): AnswerInput {
  if (request.kind !== 'question') return { value }
  return { answers: request.questions.map(({ id }) => ({ id, value })) }
}
