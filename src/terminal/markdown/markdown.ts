import type { MarkedToken, Token, Tokens } from 'marked'
import { harmless } from '../../text/harmless.ts'
import { lexMarkdown } from '../../text/markdown-lexer.ts'
import { type Line, line, type Style, widthOfLine } from '../../text/styled.ts'
import { chop, wrap } from '../../text/wrap.ts'
import { renderInline } from './inline.ts'
import { renderTable } from './table.ts'

const longestSource = 200_000

/** Renders an agent's Markdown as lines for a terminal. Source that cannot be rendered is shown as it was written. */
export function renderMarkdown(source: string, columns: number): Line[] {
  const room = Math.max(1, Math.floor(columns) || 1)
  const kept = beginning(source)
  const tokens = lexMarkdown(kept)
  const lines = tokens ? blocks(tokens, room) : asWritten(kept, room)
  const more = source.length - kept.length
  return more > 0 ? [...lines, ...wrap(line(`… (${more} more characters)`, 'dim'), room)] : lines
}

function beginning(source: string): string {
  // Do not cut a surrogate pair in half.
  return source.slice(0, longestSource).replace(/[\ud800-\udbff]$/, half => (source.length > longestSource ? '' : half))
}

function blocks(tokens: readonly Token[], columns: number, gap: readonly Line[] = [[]]): Line[] {
  const rendered = tokens
    .map(token => block(token as MarkedToken, columns))
    .filter(lines => lines.some(line => line.length > 0))
  return rendered.flatMap((lines, index) => (index === 0 ? lines : [...gap, ...lines]))
}

function block(token: MarkedToken, columns: number): Line[] {
  switch (token.type) {
    case 'space':
      return []
    case 'heading':
      return wrapped(
        renderInline(token.tokens, 'bold', ...(token.depth === 1 ? (['underline'] as const) : [])),
        columns,
      )
    case 'paragraph':
      return wrapped(renderInline(token.tokens), columns)
    case 'text':
      return wrapped(renderInline([token]), columns)
    case 'list':
      return list(token, columns)
    case 'blockquote':
      return beside(quoteBar, quoteBar, columns, room => blocks(token.tokens, room))
    case 'code':
      return code(token, columns)
    case 'table':
      return renderTable(token, columns) ?? asWritten(token.raw, columns)
    case 'hr':
      return [line('─'.repeat(Math.min(columns, 40)), 'dim')]
    // Markdown hides link definitions. They are shown, so that nothing can hide in them.
    case 'def':
      return asWritten(token.raw, columns, 'dim')
    default:
      return asWritten(token.raw, columns)
  }
}

const quoteBar = line('│ ', 'dim')

function wrapped(lines: readonly Line[], columns: number): Line[] {
  return lines.flatMap(line => wrap(line, columns))
}

function list(token: Tokens.List, columns: number): Line[] {
  return token.items.flatMap((item, index) => {
    const bullet = token.ordered ? `${Number(token.start) + index}. ` : '- '
    const lines = beside(line(bullet), line(' '.repeat(bullet.length)), columns, room =>
      blocks(withCheckbox(item.tokens), room, token.loose ? [[]] : []),
    )
    return token.loose && index > 0 ? [[], ...lines] : lines
  })
}

/** Marked puts the checkbox of a loose list inside its text, and that of a tight list before it. */
function withCheckbox(tokens: readonly Token[]): readonly Token[] {
  const [box, text, ...rest] = tokens
  if (box?.type !== 'checkbox' || !text) return tokens
  return [{ type: 'text', raw: '', text: '', tokens: [box, text] }, ...rest]
}

const narrowest = 8

/** A body next to its marker, or below it if nesting has left too few columns for both. */
function beside(first: Line, others: Line, columns: number, body: (columns: number) => Line[]): Line[] {
  const room = columns - widthOfLine(first)
  if (room < narrowest) return [...wrap(first, columns), ...body(columns)]
  const [head = [], ...rest] = body(room)
  const blank = others.every(span => span.text.trim() === '') ? [] : others
  return [[...first, ...head], ...rest.map(line => [...(line.length > 0 ? others : blank), ...line])]
}

/** Code keeps its line breaks and spaces. The info string, such as its language, is shown above it. */
function code(token: Tokens.Code, columns: number): Line[] {
  const info = token.lang ?? ''
  const [language = ''] = info.split(/\s/)
  const styles = ['diff', 'patch'].includes(language.toLowerCase()) ? diffStyles : () => []
  const indent = columns - codeIndent.length < narrowest ? '' : codeIndent
  const lines = token.text
    .split('\n')
    .flatMap(text => chop(line(shown(text), ...styles(text)), columns - indent.length))
  return [
    ...asWritten(info, columns, 'dim'),
    ...lines.map(line => (line.length > 0 ? [{ text: indent }, ...line] : line)),
  ]
}

const codeIndent = '  '

function diffStyles(text: string): Style[] {
  if (text.startsWith('+')) return ['green']
  if (text.startsWith('-')) return ['red']
  return text.startsWith('@@') ? ['cyan'] : []
}

/** The source itself, without the empty lines around it. */
function asWritten(text: string, columns: number, ...styles: Style[]): Line[] {
  const lines = text.split(/\r?\n/)
  const first = lines.findIndex(line => line.trim() !== '')
  const last = lines.findLastIndex(line => line.trim() !== '')
  return lines.slice(Math.max(0, first), last + 1).flatMap(text => wrap(line(shown(text), ...styles), columns))
}

function shown(text: string): string {
  return harmless(text.replaceAll('\t', '  '))
}
