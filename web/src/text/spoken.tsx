import { Fragment, type ReactNode } from 'react'
import { type Phrase, t } from '../words/words.ts'

/** A phrase in the reader's language whose holes are filled with elements, wherever that language has them. */
export function Spoken({ phrase, values }: { phrase: Phrase; values: Readonly<Record<string, ReactNode>> }) {
  return t(phrase)
    .split(/\{(\w+)\}/)
    .map((part, i) => <Fragment key={`${i}`}>{i % 2 === 0 ? part : values[part]}</Fragment>)
}
