import { useSyncExternalStore } from 'react'
import type { Request } from '../../../../src/protocol/request.ts'
import { loadChunk } from '../../browser/load-chunk.ts'
import { readerLanguage } from '../translate.ts'

// Sentences that the guard, the supervisor and the hooks write in English, translated by their text. They are many, and
// needed only where an approval or a review is open: each language is a chunk of its own.

/** By the English text; `{name}` stands for what differs. */
export type HubTexts = Readonly<Record<string, string>>

let texts: HubTexts | null = null
let loading: Promise<void> | null = null
const listeners = new Set<() => void>()

/** Translates a sentence of the hub; null where no translation is known, or none is needed. */
export function useHubTexts(): (text: string) => string | null {
  const known = useSyncExternalStore(subscribe, () => texts)
  return text => known && translateHubText(known, text)
}

/** What an agent gave to decide by; of a review, the lines that Beckon wrote are in the reader's language. */
export function useContextText({ kind, context }: Pick<Request, 'kind' | 'context'>): string {
  const translate = useHubTexts()
  return kind === 'review' ? translateReview(translate, context ?? '') : (context ?? '')
}

/** Starts loading, as for a request that is about to be shown. */
export function loadHubTexts(): Promise<void> {
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

export function translateHubText(known: HubTexts, text: string): string | null {
  if (Object.hasOwn(known, text)) return known[text] ?? null
  for (const { pattern, names, phrase } of patternsOf(known)) {
    const match = pattern.exec(text)
    if (!match) continue
    const values = new Map(names.map((name, i) => [name, match[i + 1] ?? '']))
    // What kind of object it is, is always one of ours: anything else is another sentence.
    if (!Object.hasOwn(known, values.get('object') ?? 'a table')) continue
    const inside = (value: string) => (Object.hasOwn(known, value) ? known[value] : value) ?? value
    return (known[phrase] ?? phrase).replaceAll(/\{(\w+)\}/g, (_, name: string) => inside(values.get(name) ?? ''))
  }
  return null
}

/** The lines that Beckon wrote into the Markdown of a review, translated; code and the agent's own lines stay. */
export function translateReview(translate: (text: string) => string | null, markdown: string): string {
  let fence: string | null = null
  return markdown
    .split('\n')
    .map(line => {
      const [mark = null] = /^`{3,}/.exec(line) ?? []
      if (fence !== null) {
        if (mark !== null && mark.length >= fence.length) fence = null
        return line
      }
      fence = mark
      return mark === null ? (translate(line) ?? line) : line
    })
    .join('\n')
}

interface Pattern {
  readonly phrase: string
  readonly names: readonly string[]
  readonly pattern: RegExp
}

const patterns = new WeakMap<HubTexts, readonly Pattern[]>()

/** The phrases with placeholders, those that say most first. */
function patternsOf(known: HubTexts): readonly Pattern[] {
  const made = patterns.get(known) ?? Object.keys(known).filter(isPattern).sort(byFixedText).map(toPattern)
  patterns.set(known, made)
  return made
}

const isPattern = (phrase: string) => phrase.includes('{')
const fixedText = (phrase: string) => phrase.replaceAll(/\{\w+\}/g, '').length
const byFixedText = (a: string, b: string) => fixedText(b) - fixedText(a)

function toPattern(phrase: string): Pattern {
  const names = [...phrase.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parts = phrase.split(/\{\w+\}/).map(part => part.replaceAll(/[.*+?^$()[\]\\|/-]/g, String.raw`\$&`))
  return { phrase, names, pattern: new RegExp(`^${parts.join('([^]+)')}$`) }
}
