import type { Reason } from '../../../../src/protocol/verdict.ts'

/** By the English text; `{name}` stands for what differs. */
export type HubTexts = Readonly<Record<string, string>>

/**
 * Why the guard asks, in another language. What was built at run time says of what; a request that an older version stored
 * does not, and is translated by its text.
 */
export function translateReason(known: HubTexts, { message, template, params = {} }: ReasonText): string | null {
  if (template === undefined || !Object.hasOwn(known, template)) return translateHubText(known, message)
  return filledIn(known, template, name => (Object.hasOwn(params, name) ? (params[name] ?? '') : `{${name}}`))
}

type ReasonText = Pick<Reason, 'message' | 'template' | 'params'>

/** A sentence of the hub in another language; null where it is none of the known ones. */
export function translateHubText(known: HubTexts, text: string): string | null {
  if (Object.hasOwn(known, text)) return known[text] ?? null
  for (const { pattern, names, phrase } of patternsOf(known)) {
    const match = pattern.exec(text)
    if (!match) continue
    const values = new Map(names.map((name, i) => [name, match[i + 1] ?? '']))
    // What kind of object it is, is always one of ours: anything else is another sentence.
    if (!Object.hasOwn(known, values.get('object') ?? 'a table')) continue
    // Neither is it about a line of a file, unless what follows is a sentence of ours, too.
    const finding = values.has('finding') ? translateHubText(known, values.get('finding') ?? '') : ''
    if (finding === null) continue
    values.set('finding', finding)
    return filledIn(known, phrase, name => values.get(name) ?? '')
  }
  return null
}

/** A known phrase with its values; those that are words of ours are translated, too. */
function filledIn(known: HubTexts, phrase: string, valueNamed: (name: string) => string): string {
  const inside = (value: string) => (Object.hasOwn(known, value) ? known[value] : value) ?? value
  return (known[phrase] ?? phrase).replaceAll(/\{(\w+)\}/g, (_, name: string) => inside(valueNamed(name)))
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
  const values = names.map(name => (name === 'line' ? '([0-9]+)' : '([^]+)'))
  return { phrase, names, pattern: new RegExp(`^${parts.map((part, i) => part + (values[i] ?? '')).join('')}$`) }
}
