import { hubWords } from './hub-words.ts'
import type { Phrase } from './ko.ts'

// A phrase is its own English. Other languages come in files of their own, of which a browser loads one at most.

export type { Phrase } from './ko.ts'

let words: Readonly<Record<Phrase, string>> | null = null
let language = 'en'

export async function loadWords(wanted: readonly string[]): Promise<void> {
  const known = wanted
    .map(one => one.toLowerCase().split('-')[0])
    .find(one => one === 'en' || one === 'ko' || one === 'zh')
  if (known === 'ko') words = (await import('./ko.ts')).ko
  if (known === 'zh') words = (await import('./zh.ts')).zh
  language = known ?? 'en'
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language
}

/** The phrase in the reader's language; `{name}` stands for a value. */
export function t(phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string {
  const text = words?.[phrase] ?? phrase
  return text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole))
}

/** What the code beneath says in English, where it is a phrase that is known here. */
export function told(text: string): string {
  return translated(text) ?? text
}

/** The same; null where it is not known, and the reader may know no English. */
export function translated(text: string): string | null {
  if (!words) return text
  if (Object.hasOwn(words, text)) return words[text as Phrase]
  for (const phrase of hubWords) {
    const values = valuesIn(text, phrase)
    if (values) return t(phrase, values)
  }
  return null
}

/** What stands in the holes of a phrase, where the text is that phrase. */
function valuesIn(text: string, phrase: Phrase): Record<string, string> | null {
  const names = [...phrase.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parts = phrase.split(/\{\w+\}/).map(part => part.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`))
  const found = new RegExp(`^${parts.join('([^]+)')}$`).exec(text)
  return found && Object.fromEntries(names.map((name, i) => [name, found[i + 1] ?? '']))
}

export function locale(): string {
  if (language !== 'en') return document.documentElement.lang
  // How the reader writes dates, as long as it is in the language of the page.
  return navigator.languages.find(one => one.toLowerCase().startsWith('en')) ?? 'en'
}
