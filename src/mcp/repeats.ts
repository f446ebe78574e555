import { hash } from 'node:crypto'
import { canonicalJson, type Json } from '../protocol/canonical-json.ts'
import type { Asker } from './asker.ts'

// A model whose call was cut off calls again, with the same words and, in every host that we know, with another id. So the
// same words in the same session are the same ask, as long as its answer was not taken. Two calls with the same words at the
// same time are two asks, where their host names them.

/** What one connection remembers of its calls. */
export interface Repeats {
  /** A call that asks begins. */
  beginAsk(asker: Asker, words: Json, signal: AbortSignal): AskRepeat
  /** A call that the host asks about begins. */
  beginHostCall(words: Json, id: string, signal: AbortSignal): HostCallRepeat
}

interface AskRepeat extends Repeat {
  /** Names the ask; null where its content says enough. */
  readonly key: string | null
}

export interface HostCallRepeat extends Repeat {
  /** The id that the same call had when it was cut off, else its own. */
  readonly id: string
  /** Whether nothing is known of an earlier call like it. */
  readonly isNew: boolean
  /** It had this id before, as the hub knows. */
  rename(id: string): void
}

interface Repeat {
  /** `isDone`: its answer was taken. */
  end(isDone: boolean): void
}

export function createRepeats(): Repeats {
  /** By content: the call that waits without a key. */
  const asking = new Map<string, { call: string; signal: AbortSignal }>()
  /** Calls that have a key keep it, so that the same id is the same ask again. */
  const keys = new Set<string>()
  const hostCalls = new Map<string, { id: string; signal: AbortSignal; isWaiting: boolean }>()
  return { beginAsk, beginHostCall }

  function beginAsk({ name, session, cwd, call }: Asker, words: Json, signal: AbortSignal): AskRepeat {
    if (call === null) return { key: null, end: nothing }
    const content = fingerprint([name, session, cwd, words])
    const key = `mcp:${fingerprint([content, call])}`
    const other = asking.get(content)
    if (keys.has(key) || (other && other.call !== call && !other.signal.aborted)) {
      forgetIfFull(keys)
      keys.add(key)
      return { key, end: nothing }
    }
    const waiting = { call, signal }
    asking.set(content, waiting)
    return {
      key: null,
      end() {
        if (asking.get(content) === waiting) asking.delete(content)
      },
    }
  }

  function beginHostCall(words: Json, id: string, signal: AbortSignal): HostCallRepeat {
    const content = fingerprint(words)
    const before = hostCalls.get(content)
    if (before?.isWaiting && !before.signal.aborted) return { id, isNew: false, rename: nothing, end: nothing }
    forgetIfFull(hostCalls)
    const call = { id: before?.id ?? id, signal, isWaiting: true }
    hostCalls.set(content, call)
    return {
      id: call.id,
      isNew: before === undefined,
      rename(id) {
        call.id = id
      },
      end(isDone) {
        call.isWaiting = false
        if (isDone && hostCalls.get(content) === call) hostCalls.delete(content)
      },
    }
  }
}

const mostKept = 10_000

function forgetIfFull(kept: Map<string, unknown> | Set<string>): void {
  if (kept.size >= mostKept) kept.clear()
}

function nothing(): void {}

function fingerprint(value: Json): string {
  return hash('sha256', canonicalJson(value), 'base64url').slice(0, 22)
}
