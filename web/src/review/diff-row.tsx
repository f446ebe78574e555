import type { KeyboardEvent, ReactNode } from 'react'
import type { DiffLine } from '../../../src/text/diff.ts'
import { highlight } from '../text/highlight.ts'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { noteText } from './note-text.ts'

interface Props {
  line: DiffLine
  language: string
  /** Absent where nothing can be written, as in a settled review. */
  onComment?: (() => void) | undefined
  onViewed?: (() => void) | undefined
  /** Only one line of a file is reached by Tab; arrows lead to the others. */
  isTabStop: boolean
  children?: ReactNode
}

/** One line of a diff, with its numbers. */
export function DiffRow({ line, language, onComment, onViewed, isTabStop, children }: Props) {
  const { kind, before, after } = line
  const number = after ?? before
  if (number === null) {
    return (
      <div className={`diff-row diff-${kind}`}>
        <span className="diff-number" />
        <span className="diff-text">
          <UntrustedText text={kind === 'hunk' ? placeIn(line.text) : noteText(line.text)} />
        </span>
      </div>
    )
  }
  return (
    <div className="diff-line">
      <div className={`diff-row diff-${kind}`}>
        {onComment ? (
          <button
            type="button"
            className="diff-number"
            tabIndex={isTabStop ? 0 : -1}
            aria-label={
              kind === 'removed'
                ? t('Comment on removed line {number}', { number })
                : t('Comment on line {number}', { number })
            }
            onClick={onComment}
            onKeyDown={press}
          >
            <Numbers before={before} after={after} />
          </button>
        ) : (
          <span className="diff-number">
            <Numbers before={before} after={after} />
          </span>
        )}
        <code className="diff-text">
          <span className="diff-sign">{kind === 'added' ? '+' : kind === 'removed' ? '−' : ' '}</span>
          {highlight(line.text, language)[0]?.map((piece, at) => (
            <span key={`${at}`} className={piece.tint ? `tint-${piece.tint}` : undefined}>
              <UntrustedText text={piece.text.replaceAll('\t', '  ').replace(/\r$/, '')} />
            </span>
          ))}
        </code>
      </div>
      {children}
    </div>
  )

  function press(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'c') onComment?.()
    else if (event.key === 'v') onViewed?.()
    else return
    // The page's own meaning of the key does not count on a line.
    event.preventDefault()
  }
}

function Numbers({ before, after }: Pick<DiffLine, 'before' | 'after'>) {
  return (
    <>
      <span className={after === null ? undefined : 'diff-before'}>{before}</span>
      <span className="diff-after">{after}</span>
    </>
  )
}

/** Of `@@ -1,2 +1,2 @@ function x()`, what a person can use. */
function placeIn(hunk: string): string {
  return hunk.replace(/^@@ [^@]*@@ ?/, '') || '⋯'
}

function moveFocus(from: HTMLElement, by: 1 | -1): void {
  const all = [...(from.closest('.review')?.querySelectorAll<HTMLElement>('button.diff-number') ?? [])]
  const next = all[all.indexOf(from) + by]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
