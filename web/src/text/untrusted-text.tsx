import { Fragment, type ReactNode } from 'react'
import { harmless, harmlessLines, harmlessTitle } from '../../../src/text/harmless.ts'
import './untrusted-text.css'

// Everything that an agent wrote goes through one of these. Hidden characters (control characters, bidi overrides,
// zero-width characters) are shown as escapes and marked.

/** One line. */
export function UntrustedText({ text }: { text: string }) {
  return <>{marked(text, harmless(text))}</>
}

/** Several lines, with line breaks and tabs. */
export function UntrustedLines({ text }: { text: string }) {
  return <>{marked(text, harmlessLines(text))}</>
}

/** A title: any white space becomes one space, and a long text is cut. */
export function UntrustedTitle({ text, longest = 400 }: { text: string; longest?: number }) {
  return <>{marked(text, titleText(text, longest))}</>
}

/** The same as plain text, for attributes and titles. */
export function titleText(text: string, longest = 400): string {
  const shown = harmlessTitle(text.slice(0, longest * 4))
  return shown.length > longest ? `${shown.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

const escapes = /(\\x[\da-f]{2}|\\u[\da-f]{4}|\\u\{[\da-f]+\}|\\[nrt])/

/** Marks only the escapes that replaced something, not those that were in the text. */
function marked(before: string, after: string): ReactNode {
  if (before === after || !escapes.test(after)) return after
  return after.split(escapes).map((part, i) => {
    const key = `${i}`
    if (i % 2 === 0 || before.includes(part)) return <Fragment key={key}>{part}</Fragment>
    return (
      <span key={key} className="hidden-char">
        {part}
      </span>
    )
  })
}
