import type { Phrase } from './ko.ts'
import { validationMessages } from './validation-messages.ts'

// A phrase is its own English text. The other languages are files of their own, and a browser loads one at most.

export type { Phrase } from './ko.ts'

let dictionary: Readonly<Record<Phrase, string>> | null = null
let language: 'en' | 'ko' | 'zh' = 'en'

export async function loadLanguage(preferred: readonly string[]): Promise<void> {
  const known = preferred
    .map(tag => tag.toLowerCase().split('-')[0])
    .find(tag => tag === 'en' || tag === 'ko' || tag === 'zh')
  if (known === 'ko') dictionary = (await import('./ko.ts')).ko
  if (known === 'zh') dictionary = (await import('./zh.ts')).zh
  language = known ?? 'en'
  document.documentElement.lang = language === 'zh' ? 'zh-CN' : language
}

/** The phrase in the reader's language; `{name}` stands for a value. */
export function t(phrase: Phrase, values: Readonly<Record<string, string | number>> = {}): string {
  const text = dictionary?.[phrase] ?? phrase
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder))
}

/** An English message of the hub or of the answer form, in the reader's language; null if no translation is known. */
export function translateMessage(text: string): string | null {
  if (!dictionary) return text
  if (Object.hasOwn(dictionary, text)) return dictionary[text as Phrase]
  return translateOneOf(validationMessages, text)
}

/** An English text that is one of these phrases, in the reader's language; null if it is none of them. */
export function translateOneOf(phrases: readonly Phrase[], text: string): string | null {
  for (const phrase of phrases) {
    const values = matchPhrase(text, phrase)
    if (values) return t(phrase, values)
  }
  return null
}

/** The values of the phrase's placeholders, if the text is that phrase. */
function matchPhrase(text: string, phrase: Phrase): Record<string, string> | null {
  const names = [...phrase.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const parts = phrase.split(/\{\w+\}/).map(part => part.replaceAll(/[.*+?^$()[\]\\|]/g, String.raw`\$&`))
  const match = new RegExp(`^${parts.join('([^]+)')}$`).exec(text)
  return match && Object.fromEntries(names.map((name, i) => [name, match[i + 1] ?? '']))
}

export function readerLanguage(): 'en' | 'ko' | 'zh' {
  return language
}

export function locale(): string {
  if (language !== 'en') return document.documentElement.lang
  // The reader's own date format, as long as it is in the language of the page.
  return navigator.languages.find(tag => tag.toLowerCase().startsWith('en')) ?? 'en'
}
