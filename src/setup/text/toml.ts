import { type Edit, lineEndOf } from './edit.ts'
import { type Json, UneditableFile } from './json.ts'
import { namesInToml } from './toml-names.ts'

/** A table at the end of a TOML file, with a comment that says where it comes from. */
export interface TomlTable {
  table: readonly string[]
  values: { [key: string]: Json }
  comment: string
}

/** Adds a table at the end. Refused where the file has that table already, in whatever way it is written. */
export function addToToml(text: string, { table, values, comment }: TomlTable): Edit[] {
  for (const name of namesInToml(text)) {
    const isOurs = table.every((part, index) => name.path[index] === part)
    if (isOurs) throw new UneditableFile(`${table.join('.')} exists already, and Beckon did not write it`)
    const isAbove = name.path.every((part, index) => table[index] === part)
    if (isAbove && name.kind !== 'table') {
      throw new UneditableFile(`${name.path.join('.')} is written in one line, and cannot be added to`)
    }
  }
  const end = lineEndOf(text)
  const header = `[${table.map(printKey).join('.')}]`
  const lines = Object.entries(values).map(([key, value]) => `${printKey(key)} = ${printValue(value)}`)
  const start = text === '' || text === '\uFEFF' ? '' : text.endsWith('\n') ? end : end + end
  const inserted = `${start}${[`# ${comment}`, header, ...lines].join(end)}${end}`
  return [{ offset: text.length, removed: '', inserted }]
}

function printValue(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(printValue).join(', ')}]`
  if (typeof value === 'string') return printString(value)
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([key, value]) => `${printKey(key)} = ${printValue(value)}`)
    .join(', ')} }`
}

/** JSON's escapes are TOML's, except that TOML forbids DEL. */
function printString(text: string): string {
  return JSON.stringify(text).replaceAll('\x7f', '\\u007F')
}

function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : printString(key)
}
