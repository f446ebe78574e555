import { applyEdits, type Edit } from './edit.ts'
import {
  addToJson,
  containersMade,
  findInJson,
  type Json,
  type JsonEntry,
  removeFromJson,
  UneditableFile,
} from './json.ts'
import { addToToml, type TomlTable } from './toml.ts'

/** What setup wants in one file. */
export type Content =
  | { format: 'json'; entries: JsonEntry[] }
  | ({ format: 'toml' } & TomlTable)
  /** A file of our own. */
  | { format: 'whole'; text: string }

/** How it was put there, and how it is found again. */
export interface Addition {
  content: Content
  edits: Edit[]
  /** The objects and lists in a JSON file that were made for it. */
  made: string[][]
}

export function addContent(text: string, content: Content): Addition {
  if (content.format === 'whole') return { content, edits: addWhole(text, content.text), made: [] }
  if (content.format === 'toml') return { content, edits: addToToml(text, content), made: [] }
  return { content, edits: addToJson(text, content.entries), made: containersMade(text, content.entries) }
}

/** Whether all of it is in the text as it was written. */
export function hasContent(text: string, content: Content): boolean {
  if (content.format === 'json') return content.entries.every(entry => findInJson(text, entry, isOurs) === 'same')
  if (content.format === 'whole') return text === content.text
  return lf(text).includes(tomlText(content))
}

/**
 * The text without an addition, of which other parts were changed since. What became of the addition itself decides:
 * unchanged parts are removed, missing ones are fine, and where one was changed, its name is returned instead.
 */
export function removeContent(
  text: string,
  { content, edits, made }: Addition,
): { text: string } | { changed: string } {
  if (content.format === 'toml') return removeToml(text, content, edits)
  if (content.format === 'whole') return text === content.text ? { text: '' } : { changed: 'the file' }
  const found = content.entries.map(entry => ({ entry, state: findInJson(text, entry, isOurs) }))
  const changed = found.find(({ state }) => state === 'changed')
  if (changed) return { changed: changed.entry.path.join('.') }
  const present = found.filter(({ state }) => state === 'same').map(({ entry }) => entry)
  return { text: removeFromJson(text, present, made) }
}

/** Nothing that a person would miss: a file that we made can go. opencode adds "$schema" to it by itself. */
export function isEmptyContent(text: string, { format }: Content): boolean {
  const bare = text.replace(/^\uFEFF/, '').trim()
  return bare === '' || (format === 'json' && /^\{\s*("\$schema"\s*:\s*"[^"]*"\s*)?\}$/.test(bare))
}

/** Something that starts Beckon, in whatever form a person left it. */
export function isOurs(value: Json): boolean {
  return /beckon(\.js)?\b/.test(JSON.stringify(value))
}

function addWhole(text: string, wanted: string): Edit[] {
  if (text === wanted) return []
  if (text !== '') throw new UneditableFile('it exists already, and Beckon did not write it')
  return [{ offset: 0, removed: '', inserted: wanted }]
}

function removeToml(
  text: string,
  content: Content & TomlTable,
  edits: readonly Edit[],
): { text: string } | { changed: string } {
  const inserted = edits[0]?.inserted ?? ''
  const at = text.indexOf(inserted)
  if (at >= 0 && inserted !== '') return { text: text.slice(0, at) + text.slice(at + inserted.length) }
  try {
    addToToml(text, content)
    return { text }
  } catch {
    return { changed: content.table.join('.') }
  }
}

function tomlText(content: TomlTable): string {
  return applyEdits('', addToToml('', content)).trim()
}

function lf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}
