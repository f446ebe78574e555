import { memo, useCallback, useMemo, useRef, useState } from 'react'
import { keyOf, type LineComment, type LineKey, nameOf } from '../../../src/form/review-feedback.ts'
import type { DiffFile, DiffLine } from '../../../src/text/diff.ts'
import { titleText, UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { DiffRow } from './diff-row.tsx'
import { FileCounts } from './file-counts.tsx'
import { Growing } from './growing.tsx'
import type { Viewed } from './use-viewed.ts'

interface Props {
  file: DiffFile
  /** Its place in the diff. */
  at: number
  id: string
  isOpen: boolean
  onOpen: (at: number, isOpen: boolean) => void
  viewed: Viewed
  /** Those on its lines. */
  comments: readonly LineComment[]
  /** Absent where nothing can be written any more. */
  onComment?: ((key: LineKey, text: string) => void) | undefined
}

/** One changed file: its name, how much changed, and its lines. */
export const ReviewFile = memo(function ReviewFile({
  file,
  at,
  id,
  isOpen,
  onOpen,
  viewed,
  comments,
  onComment,
}: Props) {
  const { path, from, status, lines, binary, cut } = file
  const section = useRef<HTMLElement>(null)
  const [editing, setEditing] = useState<string | null>(null)
  const texts = useMemo(() => new Map(comments.map(comment => [nameOf(comment), comment.text])), [comments])
  const isViewed = viewed.has(path)
  const open = useCallback(
    (isOpen: boolean) => {
      if (!isOpen) scrollToHeader(section.current)
      onOpen(at, isOpen)
    },
    [onOpen, at],
  )
  const toggleViewed = useCallback(() => {
    viewed.set(path, !isViewed)
    open(isViewed)
  }, [viewed, path, isViewed, open])
  const language = /\.(\w+)$/.exec(path)?.[1] ?? ''
  const first = lines.find(line => keyOf(file, line) !== null)
  return (
    <section
      ref={section}
      className={`review-file${isViewed ? ' viewed' : ''}`}
      id={id}
      aria-label={titleText(path, 200)}
    >
      <header>
        <button type="button" className="review-file-toggle" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
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
        {comments.length > 0 && (
          <span className="tag">
            {comments.length === 1 ? t('1 comment') : t('{count} comments', { count: comments.length })}
          </span>
        )}
        <label className="review-viewed">
          <input type="checkbox" checked={isViewed} onChange={toggleViewed} />
          {t('Viewed')}
        </label>
      </header>
      {isOpen && (
        <div className="diff">
          <Growing total={lines.length}>{row}</Growing>
          {lines.length === 0 && <p className="quiet diff-nothing">{nothingToShow()}</p>}
        </div>
      )}
    </section>
  )

  function row(i: number) {
    const line = lines[i] as DiffLine
    const key = keyOf(file, line)
    const name = key && nameOf(key)
    return (
      <DiffRow
        key={`${i}`}
        file={file}
        line={line}
        language={language}
        isTabStop={line === first}
        comment={name === null ? undefined : texts.get(name)}
        isEditing={name !== null && name === editing}
        onEdit={setEditing}
        onComment={onComment}
        onViewed={toggleViewed}
      />
    )
  }

  function nothingToShow(): string {
    if (binary) return t('A binary file: its content is not shown.')
    if (cut) return t('Too long to show.')
    return status === 'added' || status === 'deleted' ? t('An empty file.') : t('Only its name or mode changed.')
  }
})

/** Where only its header is in view, the lines below it close: without this, the page would jump to another file. */
function scrollToHeader(section: HTMLElement | null): void {
  const header = section?.querySelector('header')
  if (section && header && header.getBoundingClientRect().top > section.getBoundingClientRect().top + 2)
    section.scrollIntoView({ block: 'start' })
}
