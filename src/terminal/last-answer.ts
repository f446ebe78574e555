import { userInfo } from 'node:os'
import type { Decision } from '../form/answer-form.ts'
import type { EarlierAnswer } from '../protocol/earlier.ts'
import type { HubApi } from '../protocol/hub.ts'
import type { Request } from '../protocol/request.ts'
import { ageOf } from '../text/age.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { cut } from '../text/width.ts'

const longestName = 40
const longestText = 200
// Of an answer that may be a whole file.
const mostRead = 10 * longestText

/** What a person answered when the same was asked before; null where nobody did, or this hub does not say. */
export async function loadLastAnswer(hub: HubApi, { id, kind }: Request): Promise<EarlierAnswer | null> {
  if (kind !== 'question') return null
  const { earlier } = await hub.earlier(id).catch(() => ({ earlier: [] }))
  return earlier[0] ?? null
}

/** `Last time: SQLite (you, 3d ago)` */
export function lastAnswerText(
  { answers, by, at }: EarlierAnswer,
  env: NodeJS.ProcessEnv,
  now: number,
  longest = longestText,
): string {
  const given = answers.map(({ selected, text }) => [...selected, text ?? ''].filter(Boolean).join(', '))
  const who = by === userOf(env) ? 'you' : cut(harmlessTitle(by), longestName)
  const text = cut(harmlessTitle(given.join(' · ').slice(0, mostRead)), Math.min(longest, longestText))
  return `Last time: ${text} (${who}, ${ageOf(at, now)} ago)`
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
