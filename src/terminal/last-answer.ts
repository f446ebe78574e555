import { userInfo } from 'node:os'
import type { Decision } from '../form/answer-form.ts'
import type { EarlierAnswer } from '../protocol/earlier.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { ageOf } from '../text/age.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { cut } from '../text/width.ts'

const longest = { name: 40, text: 200 }

/** What a person answered when the same was asked before; null where nobody did, or this hub does not say. */
export async function loadLastAnswer(hub: HubApi, { id, kind }: Request): Promise<EarlierAnswer | null> {
  if (kind !== 'question') return null
  const { earlier } = await hub.earlier(id).catch(() => ({ earlier: [] }))
  return earlier[0] ?? null
}

/** `Last time: SQLite (you, 3d ago)` */
export function lastAnswerText({ answers, by, at }: EarlierAnswer, env: NodeJS.ProcessEnv, now: number): string {
  const given = answers.map(({ selected, text }) => [...selected, text ?? ''].filter(Boolean).join(', '))
  const who = by === userOf(env) ? 'you' : cut(harmlessTitle(by), longest.name)
  return `Last time: ${cut(harmlessTitle(given.join(' · ')), longest.text)} (${who}, ${ageOf(at, now)} ago)`
}

/** The same again; a note was for that time. */
export function answerAgain({ answers }: EarlierAnswer): Decision {
  return { verb: 'answer', input: { answers: answers.map(({ note: _, ...answer }) => answer) } }
}

function userOf(env: NodeJS.ProcessEnv): string | null {
  try {
    return env.BECKON_USER || userInfo().username
  } catch {
    return null
  }
}
