import { createScanner, type Node, type SyntaxKind } from 'jsonc-parser'
import { type Edit, lineEndOf } from './edit.ts'
import type { Json } from './json.ts'

/** Adds a property (with a key) or an element as the last one of an object or list, in the style of what is there. */
export function insertInto(text: string, container: Node, value: Json, key?: string): Edit[] {
  const last = container.children?.at(-1)
  const { hasComma, inComment, end } = afterLast(text, container)
  const isSpread =
    inComment || (last === undefined ? !isInOneLine(text, container) || isSpreadFile(text) : isOnOwnLine(text, last))
  const inner = innerIndent(text, container)
  const written =
    (key === undefined ? '' : `${JSON.stringify(key)}:${isMinified(text) ? '' : ' '}`) +
    print(text, value, isSpread ? inner : null)
  const gap = isSpread ? lineEndOf(text) + inner : isMinified(text) ? '' : ' '
  if (last === undefined) {
    // Behind the comments in it; what follows the last of them stays.
    const closes = isSpread && !text.slice(end, closeOf(container)).includes('\n')
    const before = isSpread ? gap : ''
    return [insertion(end, before + written + (closes ? lineEndOf(text) + indentOf(text, container.offset) : ''))]
  }
  const endOfLast = last.offset + last.length
  if (hasComma) return [insertion(end, `${gap}${written},`)]
  if (end === endOfLast) return [insertion(end, `,${gap}${written}`)]
  return [insertion(endOfLast, ','), insertion(end + 1, gap + written)]
}

function insertion(offset: number, inserted: string): Edit {
  return { offset, removed: '', inserted }
}

/** Where the last thing in a container ends that is not space: an element, a comma, or a comment up to its line's end. */
function afterLast(text: string, container: Node): { hasComma: boolean; inComment: boolean; end: number } {
  const last = container.children?.at(-1)
  const from = last ? last.offset + last.length : container.offset + 1
  const scanner = createScanner(text, false)
  scanner.setPosition(from)
  let hasComma = false
  let inComment = false
  let end = from
  while (scanner.scan() !== kinds.end && scanner.getTokenOffset() < closeOf(container)) {
    const kind = scanner.getToken()
    if (kind === kinds.space || kind === kinds.lineBreak) continue
    if (kind === kinds.comma) hasComma = true
    inComment = kind === kinds.lineComment
    end = scanner.getTokenOffset() + scanner.getTokenLength()
  }
  return { hasComma, inComment, end }
}

// A const enum of the library, which exists in its types only.
const kinds = {
  comma: 5 as SyntaxKind.CommaToken,
  lineComment: 12 as SyntaxKind.LineCommentTrivia,
  lineBreak: 14 as SyntaxKind.LineBreakTrivia,
  space: 15 as SyntaxKind.Trivia,
  end: 17 as SyntaxKind.EOF,
}

function closeOf({ offset, length }: Node): number {
  return offset + length - 1
}

function isInOneLine(text: string, { offset, length }: Node): boolean {
  return !text.slice(offset, offset + length).includes('\n')
}

function isOnOwnLine(text: string, { offset }: Node): boolean {
  return /(^|\n)[ \t]*$/.test(text.slice(0, offset))
}

/** An empty file or one with several lines gets several lines; a file in one line stays in one line. */
function isSpreadFile(text: string): boolean {
  return /\n./.test(text.trim()) || /^\{\s*\}$/.test(text.trim())
}

function isMinified(text: string): boolean {
  return !/[:,]\s/.test(text) && /[:]/.test(text)
}

function print(text: string, value: Json, indent: string | null): string {
  if (indent === null) return isMinified(text) ? JSON.stringify(value) : inOneLine(value)
  return JSON.stringify(value, null, unitOf(text)).replaceAll('\n', lineEndOf(text) + indent)
}

function inOneLine(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const properties = Object.entries(value).map(([key, value]) => `${JSON.stringify(key)}: ${inOneLine(value)}`)
  return properties.length === 0 ? '{}' : `{ ${properties.join(', ')} }`
}

function innerIndent(text: string, container: Node): string {
  const last = container.children?.at(-1)
  if (last && isOnOwnLine(text, last)) return indentOf(text, last.offset)
  return indentOf(text, container.offset) + unitOf(text)
}

/** The space at the start of the line of an offset. */
function indentOf(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1
  return /^\uFEFF?([ \t]*)/.exec(text.slice(line, offset))?.[1] ?? ''
}

function unitOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
}
