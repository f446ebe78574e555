import { type KeyboardEvent, memo } from 'react'
import { keyOf, type LineKey, nameOf } from '../../../src/form/review-feedback.ts'
import type { DiffFile, DiffLine } from '../../../src/text/diff.ts'
import { highlight } from '../text/highlight.ts'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { LineCommentView } from './line-comment.tsx'
import { noteText } from './note-text.ts'

interface Props {
  file: DiffFile
  line: DiffLine
  language: string
  /** Only one line of a file is reached by Tab; arrows lead to the others. */
  isTabStop: boolean
  comment: string | undefined
  isEditing: boolean
  /** With the name of the line whose comment is written. */
  onEdit: (name: string | null) => void
  /** Absent where nothing can be written, as in a settled review. */
  onComment: ((key: LineKey, text: string) => void) | undefined
  onViewed: () => void
}

/** One line of a diff, with its numbers and the comment on it. There are thousands: each is drawn when it changes. */
export const DiffRow = memo(function DiffRow(props: Props) {
  const { file, line, language, isTabStop, comment, isEditing, onEdit, onComment, onViewed } = props
  const { kind, before, after } = line
  const key = keyOf(file, line)
  if (key === null) {
    const says = kind === 'hunk' ? placeIn(line.text) : noteText(line.text)
    if (says === '') return null
    return (
      <div className={`diff-row diff-${kind}`}>
        <span className="diff-number" />
        <span className="diff-text">
          <UntrustedText text={says} />
        </span>
      </div>
    )
  }
  const number = key.line
  const label =
    kind === 'removed' ? t('Comment on removed line {number}', { number }) : t('Comment on line {number}', { number })
  const edit = () => onEdit(nameOf(key))
  return (
    <div className="diff-line">
      <div className={`diff-row diff-${kind}`}>
        {onComment ? (
          <button
            type="button"
            className="diff-number"
            tabIndex={isTabStop ? 0 : -1}
            aria-label={label}
            onClick={edit}
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
      {(comment !== undefined || isEditing) && (
        <LineCommentView
          text={comment ?? ''}
          isEditing={isEditing}
          label={label}
          onChange={onComment && (text => onComment(key, text))}
          onEdit={edit}
          onDone={() => onEdit(null)}
        />
      )}
    </div>
  )

  function press(event: KeyboardEvent<HTMLButtonElement>) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      moveFocus(event.currentTarget, event.key === 'ArrowDown' ? 1 : -1)
    else if (event.key === 'c') edit()
    else if (event.key === 'v') view(event.currentTarget)
    else return
    // The page's own meaning of the key does not count on a line.
    event.preventDefault()
  }

  /** The line goes away with it: the name of the file keeps the focus. */
  function view(button: HTMLElement) {
    button.closest('.review-file')?.querySelector<HTMLElement>('.review-file-toggle')?.focus({ preventScroll: true })
    onViewed()
  }
})

function Numbers({ before, after }: Pick<DiffLine, 'before' | 'after'>) {
  return (
    <>
      <span className={after === null ? undefined : 'diff-before'}>{before}</span>
      <span className="diff-after">{after}</span>
    </>
  )
}

/** Of `@@ -8,2 +8,2 @@ function x()`, what a person can use: nothing where no lines are left out above it. */
function placeIn(hunk: string): string {
  if (/^@@ -[01](,\d+)? \+[01](,\d+)? @@/.test(hunk)) return ''
  return hunk.replace(/^@@ [^@]*@@ ?/, '') || '⋯'
}

function moveFocus(from: HTMLElement, by: 1 | -1): void {
  const all = [...(from.closest('.review')?.querySelectorAll<HTMLElement>('button.diff-number') ?? [])]
  const next = all[all.indexOf(from) + by]
  next?.focus({ preventScroll: true })
  next?.scrollIntoView({ block: 'nearest' })
}
