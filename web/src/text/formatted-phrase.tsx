import { Fragment, type ReactNode } from 'react'
import { type Phrase, t } from '../words/translate.ts'

/** A phrase in the reader's language with elements in its placeholders. */
export function FormattedPhrase({ phrase, values }: { phrase: Phrase; values: Readonly<Record<string, ReactNode>> }) {
  return t(phrase)
    .split(/\{(\w+)\}/)
    .map((part, i) => <Fragment key={`${i}`}>{i % 2 === 0 ? part : values[part]}</Fragment>)
}
