import { Fragment, type ReactNode } from 'react'
import { harmless, harmlessLines, harmlessTitle } from '../../../src/text/harmless.ts'

// Whatever an agent wrote goes through one of these: what is hidden in it (control characters, bidi overrides, zero-width
// characters) is shown as an escape and looks like one.

/** One line. */
export function Said({ text }: { text: string }) {
  return <>{marked(text, harmless(text))}</>
}

/** Several lines: line breaks and tabs stay. */
export function SaidLines({ text }: { text: string }) {
  return <>{marked(text, harmlessLines(text))}</>
}

/** A title: white space of any kind is one space, and it is cut where no screen could show it. */
export function SaidTitle({ text, longest = 400 }: { text: string; longest?: number }) {
  return <>{marked(text, titleText(text, longest))}</>
}

/** The same for places that take nothing but text. */
export function titleText(text: string, longest = 400): string {
  const shown = harmlessTitle(text.slice(0, longest * 4))
  return shown.length > longest ? `${shown.slice(0, longest).replace(/[\ud800-\udbff]$/, '')}…` : shown
}

const escapes = /(\\x[\da-f]{2}|\\u[\da-f]{4}|\\u\{[\da-f]+\}|\\[nrt])/

/** Escapes are set apart only where something was hidden, so that code which speaks of escapes is left alone. */
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
