import type { MarkedToken, Token, Tokens } from 'marked'
import { decoded } from '../../text/entities.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import type { Line, Look, Span } from '../text.ts'

/** The text inside a block, one line for each that the writer broke by hand. */
export function renderInline(tokens: readonly Token[], ...looks: Look[]): Line[] {
  const lines: Span[][] = [[]]
  for (const span of spansOf(tokens, looks)) {
    if (span === lineBreak) lines.push([])
    else lines.at(-1)?.push(span)
  }
  return lines.map(trimmedStart)
}

const lineBreak: Span = { text: '\n' }

// Every text becomes harmless here, after its entities are decoded: what they stand for may be hidden too.
function spansOf(tokens: readonly Token[], looks: readonly Look[]): Span[] {
  return (tokens as readonly MarkedToken[]).flatMap(token => {
    switch (token.type) {
      case 'strong':
        return spansOf(token.tokens, withLook(looks, 'bold'))
      case 'em':
        return spansOf(token.tokens, withLook(looks, 'italic'))
      case 'del':
        return spansOf(token.tokens, withLook(looks, 'strikethrough'))
      case 'codespan':
        return span(token.text.replaceAll('\t', '  '), withLook(looks, 'cyan'))
      case 'link':
        return link(token, looks)
      case 'image':
        return span(`[image: ${title(token.text)}] (${target(token)})`, looks)
      case 'br':
        return lineBreak
      case 'checkbox':
        return span(token.checked ? '[x] ' : '[ ] ', looks)
      case 'escape':
        return span(token.text, looks)
      case 'text':
        return token.tokens ? spansOf(token.tokens, looks) : span(decoded(onOneLine(token.raw)), looks)
      default:
        return span(onOneLine(token.raw), looks)
    }
  })
}

/** A link says where it leads, whatever its text says. */
function link(token: Tokens.Link, looks: readonly Look[]): Span[] {
  const underlined = withLook(looks, 'underline')
  if (token.autolink) return [span(token.text, underlined)]
  const text = spansOf(token.tokens, underlined)
  const to = target(token)
  if (text.map(span => span.text).join('') === to) return text
  return [...text, span(`${text.length > 0 ? ' ' : ''}(${to})`, withLook(looks, 'dim'))]
}

function target(token: Tokens.Link | Tokens.Image): string {
  return token.title ? `${title(token.href)} "${title(token.title)}"` : title(token.href)
}

function title(text: string): string {
  return harmlessTitle(decoded(onOneLine(text)))
}

function span(text: string, looks: readonly Look[]): Span {
  return { text: harmless(text), looks }
}

function withLook(looks: readonly Look[], look: Look): readonly Look[] {
  return looks.includes(look) ? looks : [...looks, look]
}

function onOneLine(text: string): string {
  return text.replaceAll(/[ \t\r\n]+/g, ' ')
}

function trimmedStart([first, ...rest]: Line): Line {
  return first ? [{ ...first, text: first.text.replace(/^ +/, '') }, ...rest] : []
}
