import { hash } from 'node:crypto'
import { canonicalJson, type Json } from '../protocol/canonical-json.ts'
import type { Asker } from './asker.ts'

// A model whose call was cut off calls again, with the same words and, in every host that we know, with another id. So the
// same words in the same session are the same ask, as long as its answer was not taken. Two calls with the same words at the
// same time are two asks, where their host names them.

/** What one connection remembers of its calls. */
export interface Repeats {
  /** A call that asks begins. */
  beginAsk(
    asker: Asker,
    words: Json,
  ): Repeat & {
    /** Names the ask; null where its content says enough. */
    readonly key: string | null
  }
  /** A call that the host asks about begins; `id` is the one that it had when it was cut off, else its own. */
  beginHostCall(words: Json, id: string): Repeat & { readonly id: string; readonly isNew: boolean }
}

interface Repeat {
  /** `isDone`: its answer was taken. */
  end(isDone: boolean): void
}

export function createRepeats(): Repeats {
  /** By content: the call that waits without a key. */
  const asking = new Map<string, string>()
  /** Calls that have a key keep it, so that the same id is the same ask again. */
  const keys = new Set<string>()
  const hostCalls = new Map<string, { id: string; isWaiting: boolean }>()
  return { beginAsk, beginHostCall }

  function beginAsk({ name, session, cwd, call }: Asker, words: Json) {
    if (call === null) return { key: null, end: nothing }
    const content = fingerprint([name, session, cwd, words])
    const key = `mcp:${fingerprint([content, call])}`
    const other = asking.get(content)
    if (keys.has(key) || (other !== undefined && other !== call)) {
      forgetIfFull(keys)
      keys.add(key)
      return { key, end: nothing }
    }
    asking.set(content, call)
    return { key: null, end: () => void asking.delete(content) }
  }

  function beginHostCall(words: Json, id: string) {
    const content = fingerprint(words)
    const before = hostCalls.get(content)
    if (before?.isWaiting) return { id, isNew: false, end: nothing }
    forgetIfFull(hostCalls)
    const call = { id: before?.id ?? id, isWaiting: true }
    hostCalls.set(content, call)
    return {
      id: call.id,
      isNew: before === undefined,
      end(isDone: boolean) {
        call.isWaiting = false
        if (isDone) hostCalls.delete(content)
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
