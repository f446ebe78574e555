import type { AnswerInput } from '../protocol/answer.ts'
import type { Request } from '../typed/request.ts'
import { type Match, matches } from './match.ts'

/** What the person does when it is their turn. */
export type Reply = { after: number } & Act

type Act =
  | { does: 'answer'; input: AnswerInput }
  | { does: 'skip'; note: string | null }
  | { does: 'decline'; reason: string | null }
  | { does: 'askBack'; text: string }
  | { does: 'ignore' }

/**
 * What the person does about the requests that match. Replies are given one after the other, each to the next request (or
 * to the same one, after the asker replied to `askBack`); the last is given from then on.
 */
export interface Script {
  /** A value as `beckon answer` takes it (a label, several, a text, the value of a dependency), or a whole answer. */
  answer(value: string | readonly string[] | AnswerInput): Script
  decline(reason?: string): Script
  skip(note?: string): Script
  /** Asks back instead of deciding: for askers that listen with `onMessage`. */
  askBack(text: string): Script
  /** Leaves it open. */
  ignore(): Script
  /** The next reply is given after this time by the clock of the test: `5m`, or milliseconds. */
  after(duration: string | number): Script
}

export interface Scripts {
  when(match: Match): Script
  /** Takes the next reply to the request; null where nothing is scripted for it. */
  take(request: Request): Reply | null
}

/** The newest script that matches counts, so that a test can change what all have in common. */
export function createScripts(parse: (duration: string | number) => number, onChange: () => void): Scripts {
  const scripts: { match: Match; replies: Reply[]; given: number }[] = []
  return {
    when(match) {
      const replies: Reply[] = []
      scripts.unshift({ match, replies, given: 0 })
      return scriptOf(replies)
    },
    take(request) {
      const found = scripts.find(({ match, replies }) => replies.length > 0 && matches(match, request))
      if (!found) return null
      const reply = found.replies[found.given] ?? found.replies.at(-1) ?? null
      found.given += 1
      return reply
    },
  }

  function scriptOf(replies: Reply[]): Script {
    let delay = 0
    const script: Script = {
      answer: value => add({ does: 'answer', input: toAnswer(value) }),
      decline: (reason = 'Declined by the test') => add({ does: 'decline', reason }),
      skip: (note = '') => add({ does: 'skip', note: note || null }),
      askBack: text => add({ does: 'askBack', text }),
      ignore: () => add({ does: 'ignore' }),
      after(duration) {
        delay = parse(duration)
        return script
      },
    }
    return script

    function add(act: Act): Script {
      replies.push({ ...act, after: delay })
      delay = 0
      onChange()
      return script
    }
  }
}

export function toAnswer(value: string | readonly string[] | AnswerInput): AnswerInput {
  if (typeof value === 'string') return { value }
  return Array.isArray(value) ? { value: [...value] } : (value as AnswerInput)
}
