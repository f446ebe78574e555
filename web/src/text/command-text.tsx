import { UntrustedText } from './untrusted-text.tsx'
import './command-text.css'

const maxWords = 2_000
/** A word of this length fits on any line. */
const shortWord = 24

/**
 * A command whose lines break only between words: a break after a dash would hide what the dash belongs to. A text with
 * too many words is shown as is.
 */
export function CommandText({ text }: { text: string }) {
  const parts = text.split(/( +)/)
  if (parts.length > maxWords) return <UntrustedText text={text} />
  return parts.map((part, i) =>
    i % 2 === 1 ? (
      part
    ) : (
      <span key={`${i}`} className={part.length <= shortWord ? 'word short' : 'word'}>
        <UntrustedText text={part} />
      </span>
    ),
  )
}
