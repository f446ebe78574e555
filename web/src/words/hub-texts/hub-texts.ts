import { useSyncExternalStore } from 'react'
import type { Request } from '../../../../src/protocol/request.ts'
import type { Reason } from '../../../../src/protocol/verdict.ts'
import { loadChunk } from '../../browser/load-chunk.tsx'
import { readerLanguage } from '../translate.ts'
import { type HubTexts, translateHubText, translateReason, translateReview } from './translate-hub-text.ts'

// Sentences that the guard, the supervisor and the hooks write in English, translated by their text, or by the template of
// what was built at run time. They are many, and needed only where an approval or a review is open: each language is a
// chunk of its own.

let texts: HubTexts | null = null
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

/** Translates a sentence of the hub; null where no translation is known, or none is needed. */
export function useHubTexts(): (text: string) => string | null {
  const known = useSyncExternalStore(subscribe, () => texts)
  return text => known && translateHubText(known, text)
}

/** Translates why the guard asks, as `useHubTexts` does for other sentences. */
export function useReasonTexts(): (reason: Reason) => string | null {
  const known = useSyncExternalStore(subscribe, () => texts)
  return reason => known && translateReason(known, reason)
}

/** What an agent gave to decide by; of a review, the lines that Beckon wrote are in the reader's language. */
export function useContextText({ kind, context }: Pick<Request, 'kind' | 'context'>): string {
  const translate = useHubTexts()
  return kind === 'review' ? translateReview(translate, context ?? '') : (context ?? '')
}

/** Starts loading, as for a request that is about to be shown. */
function loadHubTexts(): Promise<void> {
  const language = readerLanguage()
  if (language === 'en') return Promise.resolve()
  loading ??= loadChunk(() => (language === 'ko' ? import('./ko.ts') : import('./zh.ts'))).then(
    chunk => {
      texts = chunk.texts
      for (const listener of listeners) listener()
    },
    // English is better than nothing, and the next page may try again.
    () => {
      loading = null
    },
  )
  return loading
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  void loadHubTexts()
  return () => listeners.delete(listener)
}
