import type { AnswerInput } from '../protocol/answer.ts'
import type { Event } from '../protocol/event.ts'
import type { Hub } from '../typed/hub.ts'
import type { Request } from '../typed/request.ts'
import type { ManualClock } from './clock.ts'
import { type Match, matches, textsOf } from './match.ts'
import { createScripts, type Reply, type Script, toAnswer } from './script.ts'

/** The person of a test, who answers what is scripted, and what the test answers by hand. */
export interface Person {
  /** Scripts what they do about requests like this. The newest script that matches counts. */
  when(match: Match): Script
  /** The oldest open request like this that was not returned before; waits until there is one. */
  next(match?: Match): Promise<Request>
  answer(id: string, value: string | readonly string[] | AnswerInput): Promise<Request>
  decline(id: string, reason?: string): Promise<Request>
  skip(id: string, note?: string): Promise<Request>
  askBack(id: string, text: string): Promise<Request>
}

interface Options {
  hub: Hub
  clock: ManualClock
  parse: (duration: string | number) => number
  /** As whom, and at a terminal: only there, or on the page, a person can approve what is dangerous. */
  by: string
}

export interface ScriptedPerson {
  person: Person
  /** Does what is due by the clock. */
  act(): Promise<void>
  /** When the next scripted reply is due; null where none is. */
  nextReply(): number | null
  close(): Promise<void>
}

const channel = 'terminal'

/** Follows the events of the hub, as every channel does. What goes wrong with a script cancels its request, and fails `close`. */
export function createPerson({ hub, clock, parse, by }: Options): ScriptedPerson {
  const over = new AbortController()
  const scripts = createScripts(parse, () => void lookAgain())
  const open = new Map<string, Request>()
  const shown = new Set<string>()
  // The person has had their turn, and waits for the asker.
  const handled = new Set<string>()
  const due: { at: number; id: string; reply: Reply }[] = []
  const waiting = new Set<() => void>()
  const failures: unknown[] = []
  // It also ends when the code under test closes the hub.
  const following = follow().finally(() => over.abort(closed()))
  following.catch(() => {})
  const verbs = {
    answer: async (id: string, value: Parameters<Person['answer']>[1]) =>
      (await hub.answer(id, { by, channel, ...toAnswer(value) })).request,
    decline: async (id: string, reason = 'Declined by the test') =>
      (await hub.decline(id, { by, channel, reason })).request,
    skip: async (id: string, note?: string) => (await hub.skip(id, { by, channel, note: note ?? null })).request,
    askBack: (id: string, text: string) => hub.messages.send(id, { text, by }),
  }
  return { person: { when: scripts.when, next, ...verbs }, act, nextReply, close }

  async function follow() {
    for await (const event of hub.follow({ since: 0, signal: over.signal })) await notice(event)
  }

  async function notice({ type, request: id, data }: Event) {
    if (id === null) return
    const isTurn = type === 'request.created' || (type === 'request.message' && data.from === 'agent')
    const request = await hub.get(id)
    if (request.status !== 'pending') open.delete(id)
    else if (isTurn) {
      open.set(id, request)
      handled.delete(id)
      schedule(request)
    }
    for (const look of waiting) look()
    await act()
  }

  /** What was open before it was scripted. */
  async function lookAgain() {
    for (const request of open.values()) schedule(request)
    await act()
  }

  function schedule(request: Request) {
    if (handled.has(request.id)) return
    const reply = scripts.take(request)
    if (!reply) return
    handled.add(request.id)
    due.push({ at: clock.now() + reply.after, id: request.id, reply })
  }

  async function act() {
    const now = due.filter(({ at }) => at <= clock.now())
    for (const each of now) due.splice(due.indexOf(each), 1)
    for (const { id, reply } of now) await give(id, reply).catch(error => fail(id, error))
  }

  async function give(id: string, reply: Reply): Promise<unknown> {
    switch (reply.does) {
      case 'answer':
        return verbs.answer(id, reply.input)
      case 'decline':
        return verbs.decline(id, reply.reason ?? undefined)
      case 'skip':
        return verbs.skip(id, reply.note ?? undefined)
      case 'askBack':
        return verbs.askBack(id, reply.text)
      case 'ignore':
        return
    }
  }

  /** The asker would wait for ever. */
  async function fail(id: string, error: unknown) {
    if (over.signal.aborted) return
    const [text = id] = open.has(id) ? textsOf(open.get(id) as Request) : []
    const reason = `The scripted reply to "${text}" was refused: ${error instanceof Error ? error.message : error}`
    failures.push(new Error(reason, { cause: error }))
    await hub.cancel(id, { by, reason }).catch(() => {})
  }

  async function next(match: Match = () => true): Promise<Request> {
    const found = [...open.values()].find(request => !shown.has(request.id) && matches(match, request))
    if (found) {
      shown.add(found.id)
      return found
    }
    over.signal.throwIfAborted()
    await new Promise<void>(resolve => {
      waiting.add(look)
      over.signal.addEventListener('abort', look)
      function look() {
        waiting.delete(look)
        over.signal.removeEventListener('abort', look)
        resolve()
      }
    })
    return next(match)
  }

  function nextReply(): number | null {
    return due.length === 0 ? null : Math.min(...due.map(({ at }) => at))
  }

  async function close() {
    over.abort(closed())
    await following
    if (failures.length > 0) throw failures[0]
  }
}

function closed(): Error {
  return new Error('The test hub was closed.')
}
