import { Said } from './untrusted-text.tsx'

const mostWords = 2_000
/** Surely shorter than a line, wherever it stands. */
const short = 24

/**
 * Part of a command, word by word, so that a line is folded between words: a fold after a dash would hide what the dash
 * belongs to. Where that would be too many, as it comes.
 */
export function Unbroken({ text }: { text: string }) {
  const parts = text.split(/( +)/)
  if (parts.length > mostWords) return <Said text={text} />
  return parts.map((part, i) =>
    i % 2 === 1 ? (
      part
    ) : (
      <span key={`${i}`} className={part.length <= short ? 'word short' : 'word'}>
        <Said text={part} />
      </span>
    ),
  )
}
