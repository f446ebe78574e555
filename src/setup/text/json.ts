import { isDeepStrictEqual } from 'node:util'
import { modify, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { applyEdits, type Edit, lineEndOf } from './edit.ts'
import { insertInto } from './json-insert.ts'
import { jsonOf, nodeAt } from './json-nodes.ts'

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** What belongs into a JSON file: a property, or one element of a list. */
export interface JsonEntry {
  path: readonly string[]
  value: Json
  kind: 'property' | 'element'
}

/** Why a file cannot be edited, to be put behind its name. */
export class UneditableFile extends Error {}

/** Parses JSON with comments and trailing commas; undefined where there is nothing but space and comments. */
export function parseJson(text: string): Json | undefined {
  const root = rootOf(text)
  return root && jsonOf(root)
}

/**
 * Adds entries with as little text as possible: everything that was there stays as it is, byte for byte. Entries that
 * exist already are left alone; a property with another value is refused.
 */
export function addToJson(text: string, entries: readonly JsonEntry[]): Edit[] {
  const edits: Edit[] = []
  for (const entry of entries) edits.push(...addEntry(applyEdits(text, edits), entry))
  return edits
}

function addEntry(text: string, { path, value, kind }: JsonEntry): Edit[] {
  const root = rootOf(text)
  if (root === undefined) return [insertDocument(text, nest(path, kind === 'element' ? [value] : value))]
  let node = root
  for (const [depth, key] of path.entries()) {
    if (node.type !== 'object') throw new UneditableFile(`${nameOf(path.slice(0, depth))} is not an object`)
    const next = nodeAt(node, [key])
    if (next === undefined) {
      const rest = nest(path.slice(depth + 1), kind === 'element' ? [value] : value)
      return insertInto(text, node, rest, key)
    }
    node = next
  }
  if (kind === 'property') {
    if (isDeepStrictEqual(jsonOf(node), value)) return []
    throw new UneditableFile(`${nameOf(path)} exists already, and Beckon did not write it`)
  }
  if (node.type !== 'array') throw new UneditableFile(`${nameOf(path)} is not a list`)
  const exists = (node.children ?? []).some(child => isDeepStrictEqual(jsonOf(child), value))
  return exists ? [] : insertInto(text, node, value)
}

/** Whether an entry is there as it was written, is there in another form, or is gone. */
export function findInJson(text: string, entry: JsonEntry, isOurs: (value: Json) => boolean) {
  const root = rootOf(text)
  const node = root && nodeAt(root, entry.path)
  if (node === undefined) return 'gone'
  if (entry.kind === 'property') return isDeepStrictEqual(jsonOf(node), entry.value) ? 'same' : 'changed'
  const values = (node.children ?? []).map(jsonOf)
  if (values.some(value => isDeepStrictEqual(value, entry.value))) return 'same'
  return values.some(isOurs) ? 'changed' : 'gone'
}

/** Removes entries that are there as they were written, and the containers that become empty and were not there before. */
export function removeFromJson(
  text: string,
  entries: readonly JsonEntry[],
  made: readonly (readonly string[])[],
): string {
  let left = text
  for (const { path, value, kind } of entries) {
    const node = nodeIn(left, path)
    const index = (node?.children ?? []).findIndex(child => isDeepStrictEqual(jsonOf(child), value))
    if (kind === 'property' && node !== undefined) left = removeAt(left, path)
    if (kind === 'element' && index >= 0) left = removeAt(left, [...path, index])
  }
  for (const path of made.toSorted((a, b) => b.length - a.length)) {
    const node = nodeIn(left, path)
    if (node !== undefined && (node.children ?? []).length === 0) left = removeAt(left, path)
  }
  return left
}

/** The objects and lists that adding the entries would make. */
export function containersMade(text: string, entries: readonly JsonEntry[]): string[][] {
  const root = rootOf(text)
  const paths = entries.flatMap(({ path, kind }) => {
    const depth = kind === 'element' ? path.length : path.length - 1
    return Array.from({ length: depth }, (_, index) => path.slice(0, index + 1))
  })
  const missing = paths.filter(path => root === undefined || nodeAt(root, path) === undefined)
  return [...new Map(missing.map(path => [path.join('\0'), path])).values()]
}

function nodeIn(text: string, path: readonly (string | number)[]): Node | undefined {
  const root = rootOf(text)
  return root && nodeAt(root, path)
}

function removeAt(text: string, path: readonly (string | number)[]): string {
  const bom = bomOf(text)
  const body = text.slice(bom.length)
  const [edit] = modify(body, [...path], undefined, {})
  if (edit === undefined) return text
  return bom + body.slice(0, edit.offset) + edit.content + body.slice(edit.offset + edit.length)
}

function insertDocument(text: string, value: Json): Edit {
  const end = lineEndOf(text)
  const start = text === '' || /[\n\uFEFF]\s*$/.test(text) ? '' : end
  return {
    offset: text.length,
    removed: '',
    inserted: `${start}${JSON.stringify(value, null, 2).replaceAll('\n', end)}${end}`,
  }
}

function nest(path: readonly string[], value: Json): Json {
  return path.reduceRight<Json>((inner, key) => ({ [key]: inner }), value)
}

function nameOf(path: readonly string[]): string {
  return path.length === 0 ? 'the document' : path.join('.')
}

/** The tree of a text, with offsets in the whole of it, a byte order mark included. */
function rootOf(text: string): Node | undefined {
  const errors: ParseError[] = []
  const bom = bomOf(text).length
  // A space in its place keeps the offsets.
  const root = parseTree(' '.repeat(bom) + text.slice(bom), errors, {
    allowTrailingComma: true,
    allowEmptyContent: true,
  })
  const [error] = errors
  if (error) {
    const line = text.slice(0, error.offset).split('\n').length
    throw new UneditableFile(`line ${line} is not valid JSON (${printParseErrorCode(error.error)})`)
  }
  return root
}

function bomOf(text: string): string {
  return text.startsWith('\uFEFF') ? '\uFEFF' : ''
}
