import { useState } from 'react'
import { commentOn, type Feedback, keyOf, type LineKey, nameOf } from '../../../src/form/review-feedback.ts'
import type { DiffFile } from '../../../src/text/diff.ts'
import { titleText, UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { DiffRow } from './diff-row.tsx'
import { FileCounts } from './file-counts.tsx'
import { LineCommentView } from './line-comment.tsx'

interface Props {
  file: DiffFile
  id: string
  isOpen: boolean
  onToggle: () => void
  viewed: boolean
  onViewed: (viewed: boolean) => void
  feedback: Feedback
  /** Absent where nothing can be written any more. */
  onComment?: ((key: LineKey, text: string) => void) | undefined
}

/** One changed file: its name, how much changed, and its lines. */
export function ReviewFile({ file, id, isOpen, onToggle, viewed, onViewed, feedback, onComment }: Props) {
  const { path, from, lines, binary, cut } = file
  const [editing, setEditing] = useState<string | null>(null)
  const language = /\.(\w+)$/.exec(path)?.[1] ?? ''
  const comments = feedback.comments.filter(comment => comment.path === path).length
  const first = lines.find(line => keyOf(file, line) !== null)
  return (
    <section className={`review-file${viewed ? ' viewed' : ''}`} id={id} aria-label={titleText(path, 200)}>
      <header>
        <button type="button" className="review-file-toggle" aria-expanded={isOpen} onClick={onToggle}>
          <span className="review-file-caret" aria-hidden="true" />
          <code className="review-path">
            {from !== null && (
              <span className="quiet">
                <UntrustedText text={from} /> →{' '}
              </span>
            )}
            <UntrustedText text={path} />
          </code>
        </button>
        <FileCounts file={file} />
        {comments > 0 && (
          <span className="tag">{comments === 1 ? t('1 comment') : t('{count} comments', { count: comments })}</span>
        )}
        <label className="review-viewed">
          <input type="checkbox" checked={viewed} onChange={event => onViewed(event.target.checked)} />
          {t('Viewed')}
        </label>
      </header>
      {isOpen && (
        <div className="diff">
          {lines.map((line, i) => {
            const key = keyOf(file, line)
            const comment = key && commentOn(feedback, key)
            const isEditing = key !== null && editing === nameOf(key)
            return (
              <DiffRow
                key={`${i}`}
                line={line}
                language={language}
                isTabStop={line === first}
                onComment={key && onComment ? () => setEditing(nameOf(key)) : undefined}
                onViewed={() => onViewed(!viewed)}
              >
                {key && (comment || isEditing) && (
                  <LineCommentView
                    text={comment?.text ?? ''}
                    isEditing={isEditing}
                    label={t('Comment on line {number}', { number: key.line })}
                    onChange={onComment && (text => onComment(key, text))}
                    onEdit={() => setEditing(nameOf(key))}
                    onDone={() => setEditing(null)}
                  />
                )}
              </DiffRow>
            )
          })}
          {lines.length === 0 && <p className="quiet diff-nothing">{nothingToShow()}</p>}
        </div>
      )}
    </section>
  )

  function nothingToShow(): string {
    if (binary) return t('A binary file: its content is not shown.')
    return cut ? t('Too long to show.') : t('Only its name or mode changed.')
  }
}
