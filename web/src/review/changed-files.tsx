import { type MouseEvent, useCallback, useId, useMemo, useState } from 'react'
import type { Feedback, LineComment, LineKey } from '../../../src/form/review-feedback.ts'
import type { DiffFile } from '../../../src/text/diff.ts'
import { UntrustedText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { FileCounts } from './file-counts.tsx'
import { ReviewFile } from './review-file.tsx'
import type { Viewed } from './use-viewed.ts'
import './review.css'

interface Props {
  files: readonly DiffFile[]
  viewed: Viewed
  feedback: Feedback
  /** The same function at each rendering, or typing a comment would draw all lines anew. */
  onComment?: (key: LineKey, text: string) => void
}

// Longer ones are opened by hand: nobody reads them by accident, and a phone could not scroll them.
const longFile = 400
const openLines = 1_500

const noComments: readonly LineComment[] = []

/** Every changed file: first the list of them, then each with its lines. */
export function ChangedFiles({ files, viewed, feedback, onComment }: Props) {
  const id = useId()
  const openAtFirst = useMemo(() => chooseOpen(files), [files])
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map())
  const isOpen = (at: number, path: string) => toggled.get(at) ?? (openAtFirst.has(at) && !viewed.has(path))
  const commentsOn = Map.groupBy(feedback.comments, comment => comment.path)
  const open = useCallback((at: number, isOpen: boolean) => {
    setToggled(before => new Map(before).set(at, isOpen))
  }, [])
  const seen = files.filter(({ path }) => viewed.has(path)).length
  return (
    <section className="review" aria-label={t('Changed files')}>
      <nav className="review-list" aria-label={t('Changed files')}>
        <p className="review-total">
          <b>{files.length === 1 ? t('1 file changed') : t('{count} files changed', { count: files.length })}</b>
          <FileCounts file={{ added: sum(files, 'added'), removed: sum(files, 'removed') }} />
          <span className="quiet">{t('{seen} of {count} viewed', { seen, count: files.length })}</span>
        </p>
        {files.length > 1 && (
          <ul>
            {files.map((file, at) => (
              <li key={`${at}`} className={viewed.has(file.path) ? 'viewed' : undefined}>
                <a href={`#${id}-${at}`} onClick={event => show(at, event)}>
                  <code>
                    <UntrustedText text={file.path} />
                  </code>
                  <FileCounts file={file} />
                </a>
              </li>
            ))}
          </ul>
        )}
      </nav>
      {files.map((file, at) => (
        <ReviewFile
          key={`${at}`}
          file={file}
          at={at}
          id={`${id}-${at}`}
          isOpen={isOpen(at, file.path)}
          onOpen={open}
          viewed={viewed}
          comments={commentsOn.get(file.path) ?? noComments}
          onComment={onComment}
        />
      ))}
    </section>
  )

  function show(at: number, event: MouseEvent) {
    event.preventDefault()
    open(at, true)
    const section = document.getElementById(`${id}-${at}`)
    section?.scrollIntoView({ block: 'start' })
    section?.querySelector<HTMLElement>('.review-file-toggle')?.focus({ preventScroll: true })
  }
}

/** The files that fit on a few screens, in their order. */
function chooseOpen(files: readonly DiffFile[]): ReadonlySet<number> {
  const open = new Set<number>()
  let lines = 0
  for (const [at, file] of files.entries()) {
    if (file.lines.length > longFile || lines + file.lines.length > openLines) continue
    lines += file.lines.length
    open.add(at)
  }
  return open
}

function sum(files: readonly DiffFile[], key: 'added' | 'removed'): number {
  return files.reduce((sum, file) => sum + file[key], 0)
}
