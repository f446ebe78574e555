import type { Reading } from '../items.ts'
import { unquote } from './fields.ts'

/** Options as `[a, b]`, as a JSON array, or as `- item` lines. */
export function readOptions(value: string): Reading<string[]> {
  // Numbers and booleans read the same without JSON.
  if (/^\[\s*["{[]/.test(value)) return fromJson(value) ?? fromBrackets(value)
  if (value.startsWith('[')) return fromBrackets(value)
  if (value.startsWith('-')) return { value: fromList(value) }
  return { problem: 'options: write them as [a, b], as a JSON array, or as lines of "- item"' }
}

/** Null where it is no JSON. */
function fromJson(value: string): Reading<string[]> | null {
  let list: unknown[]
  try {
    list = JSON.parse(value)
  } catch {
    return null
  }
  const texts = list.filter(item => ['string', 'number', 'boolean'].includes(typeof item)).map(String)
  return texts.length === list.length ? { value: filled(texts) } : { problem: 'options: every one must be a text' }
}

function fromBrackets(value: string): Reading<string[]> {
  if (!value.endsWith(']')) return { problem: 'options: the list that [ begins does not end with ]' }
  return { value: filled(split(value.slice(1, -1)).map(item => unquote(oneLine(item)))) }
}

function oneLine(item: string): string {
  return item
    .split('\n')
    .map(line => line.trim())
    .join(' ')
    .trim()
}

/** A line without a dash goes on with the item before it. */
function fromList(value: string): string[] {
  const items: string[][] = []
  for (const line of value.split('\n').map(line => line.trim())) {
    if (line.startsWith('-')) items.push([line.slice(1).trim()])
    else if (line !== '') items.at(-1)?.push(line)
  }
  return filled(items.map(parts => unquote(parts.join(' ').trim())))
}

function filled(items: readonly string[]): string[] {
  return items.map(item => item.trim()).filter(item => item !== '')
}

/** At commas, except those inside of quotes or of brackets that are closed again. */
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

/** Where what opens at a place is closed. What is never closed is not in it: it is a smiley, or a typing error. */
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

/** An apostrophe is no quote: single quotes hold a whole item, from comma to comma. */
function endOfItem(list: string, start: number): number {
  const end = list.indexOf("'", start + 1)
  return end >= 0 && /^\s*(?:,|$)/.test(list.slice(end + 1)) ? end : -1
}
