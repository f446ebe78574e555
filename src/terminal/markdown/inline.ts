import type { MarkedToken, Token, Tokens } from 'marked'
import { decodeEntities } from '../../text/entities.ts'
import { harmless, harmlessTitle } from '../../text/harmless.ts'
import type { Line, Span, Style } from '../../text/styled.ts'

/** The text of a block, one line per explicit line break. */
export function renderInline(tokens: readonly Token[], ...styles: Style[]): Line[] {
  const lines: Span[][] = [[]]
  for (const span of spansOf(tokens, styles)) {
    if (span === lineBreak) lines.push([])
    else lines.at(-1)?.push(span)
  }
  return lines.map(trimmedStart)
}

const lineBreak: Span = { text: '\n' }

// Makes text harmless after decoding its entities, since they may stand for hidden characters.
function spansOf(tokens: readonly Token[], styles: readonly Style[]): Span[] {
  return (tokens as readonly MarkedToken[]).flatMap(token => {
    switch (token.type) {
      case 'strong':
        return spansOf(token.tokens, withStyle(styles, 'bold'))
      case 'em':
        return spansOf(token.tokens, withStyle(styles, 'italic'))
      case 'del':
        return spansOf(token.tokens, withStyle(styles, 'strikethrough'))
      case 'codespan':
        return span(token.text.replaceAll('\t', '  '), withStyle(styles, 'cyan'))
      case 'link':
        return link(token, styles)
      case 'image':
        return span(`[image: ${title(token.text)}] (${target(token)})`, styles)
      case 'br':
        return lineBreak
      case 'checkbox':
        return span(token.checked ? '[x] ' : '[ ] ', styles)
      case 'escape':
        return span(token.text, styles)
      case 'text':
        return token.tokens ? spansOf(token.tokens, styles) : span(decodeEntities(onOneLine(token.raw)), styles)
      default:
        return span(onOneLine(token.raw), styles)
    }
  })
}

/** Always shows where a link leads, whatever its text says. */
function link(token: Tokens.Link, styles: readonly Style[]): Span[] {
  const underlined = withStyle(styles, 'underline')
  if (token.autolink) return [span(token.text, underlined)]
  const text = spansOf(token.tokens, underlined)
  const to = target(token)
  if (text.map(span => span.text).join('') === to) return text
  return [...text, span(`${text.length > 0 ? ' ' : ''}(${to})`, withStyle(styles, 'dim'))]
}

function target(token: Tokens.Link | Tokens.Image): string {
  return token.title ? `${title(token.href)} "${title(token.title)}"` : title(token.href)
}

function title(text: string): string {
  return harmlessTitle(decodeEntities(onOneLine(text)))
}

function span(text: string, styles: readonly Style[]): Span {
  return { text: harmless(text), styles }
}

function withStyle(styles: readonly Style[], style: Style): readonly Style[] {
  return styles.includes(style) ? styles : [...styles, style]
}

function onOneLine(text: string): string {
  return text.replaceAll(/[ \t\r\n]+/g, ' ')
}

function trimmedStart([first, ...rest]: Line): Line {
  return first ? [{ ...first, text: first.text.replace(/^ +/, '') }, ...rest] : []
}
