import type { Group } from './group.ts'
import { type Item, kindWords } from './item.ts'

/** What a list can be narrowed to, as in `project:shop agent:codex kind:approval`. */
const facets = ['project', 'agent', 'kind'] as const
type Facet = (typeof facets)[number]

interface Filter {
  readonly words: readonly string[]
  readonly facets: readonly { readonly facet: Facet; readonly value: string; readonly isWhole: boolean }[]
}

/** A value and how many requests have it. */
export interface FacetValue {
  readonly facet: Facet
  readonly value: string
  readonly count: number
}

const facetWord = new RegExp(`(?:^|(?<=\\s))(${facets.join('|')}):(?:"([^"]*)"?|(\\S*))`, 'gi')

/** The groups with what matches, without those that have nothing. */
export function narrowGroups(groups: readonly Group[], text: string): readonly Group[] {
  if (text.trim() === '') return groups
  const filter = readFilter(text)
  return groups.flatMap(group => {
    const items = group.items.filter(item => matches(item, group.heading, filter))
    return items.length > 0 ? [{ ...group, items }] : []
  })
}

function readFilter(text: string): Filter {
  const found = [...text.matchAll(facetWord)].map(([, facet = '', quoted, plain = '']) => ({
    facet: facet.toLowerCase() as Facet,
    value: normalise(quoted ?? plain),
    isWhole: quoted !== undefined,
  }))
  const words = normalise(text.replaceAll(facetWord, ' ')).split(/\s+/u).filter(Boolean)
  return { words, facets: found }
}

/** Whether the row, and the heading above it, say every word of the filter. Nothing hidden matches. */
function matches(item: Item, heading: string | null, { words, facets }: Filter): boolean {
  const fits = facets.every(({ facet, value, isWhole }) => {
    const has = normalise(facetOf(item, facet))
    return isWhole ? has === value : has.startsWith(value) || (facet === 'kind' && item.request.kind.startsWith(value))
  })
  if (!fits || words.length === 0) return fits
  const text = textOf(item)
  const above = heading === null ? '' : normalise(heading)
  return words.every(word => text.includes(word) || above.includes(word))
}

/** The projects, agents and kinds of these requests, those with the most first. */
export function facetValues(items: readonly Item[]): FacetValue[] {
  return facets.flatMap(facet => {
    const counts = new Map<string, number>()
    for (const item of items) counts.set(facetOf(item, facet), (counts.get(facetOf(item, facet)) ?? 0) + 1)
    return Array.from(counts, ([value, count]) => ({ facet, value, count })).sort((a, b) => b.count - a.count)
  })
}

/** The filter with this value instead of another one of the same facet. */
export function narrow(text: string, { facet, value }: FacetValue, others: readonly FacetValue[]): string {
  const rest = text.replaceAll(facetWord, (word, name: string) => (name.toLowerCase() === facet ? '' : word))
  const isAmbiguous = others.some(
    other => other.facet === facet && other.value !== value && normalise(other.value).startsWith(normalise(value)),
  )
  const written = isAmbiguous || /[\s"]/u.test(value) ? `"${value.replaceAll('"', '')}"` : value
  return `${rest.trim()} ${facet}:${written}`.trim()
}

function facetOf({ request, agent, project }: Item, facet: Facet): string {
  switch (facet) {
    case 'project':
      return project
    case 'agent':
      return agent
    case 'kind':
      return kindWords[request.kind]
  }
}

// Thousands of rows are searched with every key.
const texts = new WeakMap<Item, string>()

function textOf(item: Item): string {
  const known = texts.get(item)
  if (known !== undefined) return known
  const { title, agent, run, project, request } = item
  const text = normalise([title, agent, run, project, kindWords[request.kind]].join('\n'))
  texts.set(item, text)
  return text
}

function normalise(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim()
}
