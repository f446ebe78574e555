import { hash } from 'node:crypto'
import { canonicalJson, type Json } from '../protocol/canonical-json.ts'
import type { Asker } from './asker.ts'

// A model whose call was cut off calls again, with the same words and, in every host that we know, with another id. So the
// same words in the same session are the same ask, as long as its answer was not taken. Two calls with the same words at the
// same time are two asks: their host names them.

/** The calls of one connection that wait, and the ids of those that were cut off. */
export interface Repeats {
  /** The key of an ask; null where its content says enough. Ends when the call does. */
  begin(asker: Asker, words: Json): { readonly key: string | null; end(): void }
}

export function createRepeats(): Repeats {
  /** By content: the call that waits without a key. */
  const waiting = new Map<string, string>()
  /** Calls that have a key keep it, so that the same id is the same ask again. */
  const keyed = new Set<string>()
  return {
    begin(asker, words) {
      const { call } = asker
      if (call === null) return { key: null, end: () => {} }
      const content = fingerprint([asker.name, asker.session, asker.cwd, words])
      const key = `mcp:${fingerprint([content, call])}`
      const other = waiting.get(content)
      if (keyed.has(key) || (other !== undefined && other !== call)) {
        if (keyed.size >= mostKeyed) keyed.clear()
        keyed.add(key)
        return { key, end: () => {} }
      }
      waiting.set(content, call)
      return { key: null, end: () => waiting.delete(content) }
    },
  }
}

const mostKeyed = 10_000

function fingerprint(value: Json): string {
  return hash('sha256', canonicalJson(value), 'base64url').slice(0, 22)
}
