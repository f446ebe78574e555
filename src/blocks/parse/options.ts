import type { Parsed } from '../items.ts'
import { unquote } from './fields.ts'

/** Parses options written as `[a, b]`, as a JSON array, or as `- item` lines. */
export function parseOptions(value: string): Parsed<string[]> {
  // Numbers and booleans mean the same without JSON.
  if (/^\[\s*["{[]/.test(value)) return fromJson(value) ?? fromBrackets(value)
  if (value.startsWith('[')) return fromBrackets(value)
  if (value.startsWith('-')) return { value: fromList(value) }
  return { problem: 'options: write them as [a, b], as a JSON array, or as lines of "- item"' }
}

/** Null if it is not JSON. */
function fromJson(value: string): Parsed<string[]> | null {
  let list: unknown[]
  try {
    list = JSON.parse(value)
  } catch {
    return null
  }
  const texts = list.filter(item => ['string', 'number', 'boolean'].includes(typeof item)).map(String)
  return texts.length === list.length ? { value: nonEmpty(texts) } : { problem: 'options: every option must be a text' }
}

function fromBrackets(value: string): Parsed<string[]> {
  if (!value.endsWith(']')) return { problem: 'options: the list starts with [ but does not end with ]' }
  return { value: nonEmpty(split(value.slice(1, -1)).map(item => unquote(oneLine(item)))) }
}

function oneLine(item: string): string {
  return item
    .split('\n')
    .map(line => line.trim())
    .join(' ')
    .trim()
}

/** A line without a dash continues the item before it. */
function fromList(value: string): string[] {
  const items: string[][] = []
  for (const line of value.split('\n').map(line => line.trim())) {
    if (line.startsWith('-')) items.push([line.slice(1).trim()])
    else if (line !== '') items.at(-1)?.push(line)
  }
  return nonEmpty(items.map(parts => unquote(parts.join(' ').trim())))
}

function nonEmpty(items: readonly string[]): string[] {
  return items.map(item => item.trim()).filter(item => item !== '')
}

/** Splits at commas, except inside quotes or inside brackets that are closed again. */
function split(list: string): string[] {
  const closings = findClosings(list)
  const items: string[] = []
  let start = 0
  for (let i = 0; i < list.length; i += 1) {
    i = closings.get(i) ?? i
    if (list[i] !== ',') continue
    items.push(list.slice(start, i))
    start = i + 1
  }
  return [...items, list.slice(start)]
}

const partners: Record<string, string> = { ')': '(', ']': '[', '}': '{', '）': '（', '」': '「', '”': '“' }
const openers = Object.values(partners)

/** Maps each opening quote or bracket to its closing one. Unclosed ones are left out: smileys and typing errors. */
function findClosings(list: string): Map<number, number> {
  const closings = new Map<number, number>()
  const open: number[] = []
  let atStart = true
  for (let i = 0; i < list.length; i += 1) {
    const character = list[i] as string
    const end = character === '"' ? list.indexOf('"', i + 1) : character === "'" && atStart ? endOfItem(list, i) : -1
    if (end >= 0) {
      closings.set(i, end)
      i = end
    } else if (openers.includes(character)) {
      open.push(i)
    } else if (open.length > 0 && list[open.at(-1) as number] === partners[character]) {
      closings.set(open.pop() as number, i)
    }
    atStart = character === ',' || (atStart && character.trim() === '')
  }
  return closings
}

/** Single quotes must enclose a whole item, from comma to comma; otherwise they are apostrophes. */
function endOfItem(list: string, start: number): number {
  const end = list.indexOf("'", start + 1)
  return end >= 0 && /^\s*(?:,|$)/.test(list.slice(end + 1)) ? end : -1
}
