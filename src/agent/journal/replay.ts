import type { Entry, EntryOf } from './entries.ts'
import { countingLines } from './lines.ts'

/** What a person saw of a conversation, with the names of the agents from the main one to the one it happened in. */
export type Replayed = { readonly path: readonly string[]; readonly at: string } & (
  | { readonly type: 'said'; readonly text: string }
  | { readonly type: 'reply'; readonly text: string }
  /** Somebody decided about the request of a call. */
  | { readonly type: 'decided'; readonly call: string; readonly request: string }
  | {
      readonly type: 'result'
      readonly call: string
      readonly tool: string
      readonly input: unknown
      readonly output: string
      readonly failed: boolean
      readonly whole: string | null
      readonly diff?: string
    }
  | { readonly type: 'planning'; readonly on: boolean }
  /** A turn ended, as the journal has it. */
  | { readonly type: 'ended'; readonly how: string }
)

/** A conversation with those of its sub-agents. */
export interface Recorded {
  readonly entries: readonly Entry[]
  /** The sub-agent that a call started; null where it started none. */
  subAgentOf(call: string): Recorded | null
}

const enough = 8

/** The last turns of a conversation: as many as fill about a screen, from a person's message on. */
export function lastScreen(recorded: Recorded): Replayed[] {
  const all = replay(recorded.entries)
  const start = all.findLastIndex(({ type }, i) => type === 'said' && all.length - i >= enough)
  const own = all.slice(Math.max(0, start))
  return withSubAgents(own, recorded)
}

/** What sub-agents did comes before the result of the call that started them. They speak to their parent, not to people. */
function withSubAgents(own: readonly Replayed[], { subAgentOf }: Recorded): Replayed[] {
  const theirs = own.flatMap(one => {
    const started = one.type === 'result' ? subAgentOf(one.call) : null
    if (!started) return []
    const done = replay(started.entries).filter(({ type }) => type === 'result' || type === 'decided')
    return withSubAgents(done, started)
  })
  // Several may have worked at the same time.
  theirs.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return own.flatMap(one => {
    const later = theirs.findIndex(({ at }) => at > one.at)
    return [...theirs.splice(0, later < 0 ? theirs.length : later), one]
  })
}

function replay(entries: readonly Entry[]): Replayed[] {
  const inputs = new Map<string, unknown>()
  /** The requests of each call that were not told yet. */
  const asked = new Map<string, string[]>()
  let path: readonly string[] = []
  return countingLines(entries).flatMap(({ entry }): Replayed[] => {
    if (entry.type === 'conversation') path = entry.path
    const shared = { path, at: entry.at }
    switch (entry.type) {
      case 'user':
        return [{ ...shared, type: 'said', text: entry.shown ?? entry.text }]
      case 'assistant': {
        for (const { type, toolCallId, input } of entry.content)
          if (type === 'tool-call') inputs.set(String(toolCallId), input)
        const text = textOf(entry).trim()
        // What was not asked for a call was asked before the model: whether to start a server.
        const before = [...asked.keys()].flatMap(decisionsOf)
        return text === '' ? before : [...before, { ...shared, type: 'reply', text }]
      }
      case 'asked':
        asked.set(entry.call, [...(asked.get(entry.call) ?? []), entry.request])
        return []
      case 'started':
        return decisionsOf(entry.call)
      case 'result': {
        const { call, tool, output, failed, whole, diff, askedBack, plan } = entry
        // Who asks back has not decided.
        if (askedBack) asked.delete(call)
        const result = { call, tool, input: inputs.get(call), output, failed, whole, ...(diff ? { diff } : {}) }
        return [
          ...decisionsOf(call),
          { ...shared, type: 'result', ...result },
          ...(plan ? [{ ...shared, type: 'planning', on: false } as const] : []),
        ]
      }
      case 'plan':
        return [{ ...shared, type: 'planning', on: entry.on }]
      case 'ended':
        return entry.how === 'done' ? [] : [{ ...shared, type: 'ended', how: entry.how }]
      default:
        return []
    }

    function decisionsOf(call: string): Replayed[] {
      const requests = asked.get(call) ?? []
      asked.delete(call)
      return requests.map(request => ({ ...shared, type: 'decided', call, request }))
    }
  })
}

function textOf({ content }: EntryOf<'assistant'>): string {
  return content.map(({ type, text }) => (type === 'text' ? String(text ?? '') : '')).join('')
}
