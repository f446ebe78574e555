import type { MarkedToken, Token, Tokens } from 'marked'
import { Fragment, type ReactNode, useMemo } from 'react'
import { decodeEntities } from '../../../src/text/entities.ts'
import { lexMarkdown } from '../../../src/text/markdown-lexer.ts'
import { t } from '../words/translate.ts'
import { Code } from './code.tsx'
import { headingLevels } from './heading-levels.ts'
import { titleText, UntrustedLines, UntrustedText } from './untrusted-text.tsx'

const maxLength = 200_000

/** Markdown from an agent as React elements: no raw HTML, no images, and every link shows its address. */
export default function Markdown({ source }: { source: string }) {
  const rendered = useMemo(() => {
    const kept = source.slice(0, maxLength)
    const tokens = lexMarkdown(kept)
    return tokens ? blocks(tokens, headingLevels(tokens)) : <RawText text={kept} />
  }, [source])
  return (
    <div className="markdown" dir="auto">
      {rendered}
      {source.length > maxLength && (
        <p className="quiet">{t('… {count} more characters', { count: source.length - maxLength })}</p>
      )}
    </div>
  )
}

type Levels = ReturnType<typeof headingLevels>

function blocks(tokens: readonly Token[], levels: Levels): ReactNode {
  return renderEach(tokens, token => block(token, levels))
}

function block(token: MarkedToken, levels: Levels): ReactNode {
  switch (token.type) {
    case 'space':
      return null
    case 'heading':
      return heading(token, levels.get(token))
    case 'paragraph':
      return <p>{inline(token.tokens)}</p>
    case 'text':
      return <Fragment>{inline([token])} </Fragment>
    case 'list':
      return list(token, levels)
    case 'blockquote':
      return <blockquote>{blocks(token.tokens, levels)}</blockquote>
    case 'code':
      return <Code text={token.text} caption={token.lang ?? ''} />
    case 'table':
      return table(token)
    case 'hr':
      return <hr />
    case 'checkbox':
      return inline([token])
    // Link definitions and raw HTML are shown as text, or an agent could hide something in them.
    default:
      return <RawText text={token.raw} />
  }
}

function heading({ tokens }: Tokens.Heading, level = 6): ReactNode {
  const Level = `h${level}` as 'h2' | 'h3' | 'h4' | 'h5' | 'h6'
  return <Level dir="auto">{inline(tokens)}</Level>
}

function list({ ordered, start, items }: Tokens.List, levels: Levels): ReactNode {
  const rows = items.map((item, i) => <li key={`${i}`}>{blocks(item.tokens, levels)}</li>)
  return ordered ? <ol start={Number(start) || 1}>{rows}</ol> : <ul>{rows}</ul>
}

function table({ header, align, rows }: Tokens.Table): ReactNode {
  return (
    // A wide table scrolls on its own, so the keyboard must reach it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region
    <section className="wide" aria-label={t('Table')} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {header.map((cell, i) => (
              <th key={`${i}`} scope="col" data-align={align[i] ?? undefined}>
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={`${at}`}>
              {row.map((cell, i) => (
                <td key={`${i}`} data-align={align[i] ?? undefined}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function inline(tokens: readonly Token[]): ReactNode {
  return renderEach(tokens, token => {
    switch (token.type) {
      case 'strong':
        return <strong>{inline(token.tokens)}</strong>
      case 'em':
        return <em>{inline(token.tokens)}</em>
      case 'del':
        return <del>{inline(token.tokens)}</del>
      case 'codespan':
        return (
          <code>
            <UntrustedText text={token.text.replaceAll('\t', '  ')} />
          </code>
        )
      case 'link':
        return link(token)
      case 'image':
        return (
          <UntrustedText
            text={`[${t('image')}: ${titleText(decodeEntities(token.text))}] (${titleText(decodeEntities(token.href))})`}
          />
        )
      case 'br':
        return <br />
      case 'checkbox':
        return token.checked ? '☑ ' : '☐ '
      case 'escape':
        return <UntrustedText text={token.text} />
      case 'text':
        return token.tokens ? inline(token.tokens) : <UntrustedLines text={decodeEntities(token.raw)} />
      default:
        return <UntrustedLines text={token.raw} />
    }
  })
}

/** A link shows its address, whatever its text says. Only http, https and mailto links can be followed. */
function link(token: Tokens.Link): ReactNode {
  const address = decodeEntities(token.href).trim()
  const shown = titleText(address, 2_000)
  const text = token.text.trim() === address ? null : inline(token.tokens)
  const target = safeTarget(address)
  const content = (
    <>
      {text}
      {text !== null && ' '}
      <span className={text === null ? undefined : 'address'}>{text === null ? shown : `(${shown})`}</span>
    </>
  )
  if (target === null) return <span className="no-link">{content}</span>
  return (
    <a href={target} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  )
}

function safeTarget(address: string): string | null {
  const url = URL.canParse(address) ? new URL(address) : null
  return url && ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : null
}

function RawText({ text }: { text: string }) {
  return (
    <p className="raw-text">
      <UntrustedLines text={text.trim()} />
    </p>
  )
}

function renderEach(tokens: readonly Token[], render: (token: MarkedToken) => ReactNode): ReactNode {
  return tokens.map((token, i) => <Fragment key={`${i}`}>{render(token as MarkedToken)}</Fragment>)
}
