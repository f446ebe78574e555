import type { DiffFile } from '../../../src/text/diff.ts'
import { locale, t } from '../words/translate.ts'

type Counted = Pick<DiffFile, 'added' | 'removed'> & Partial<Pick<DiffFile, 'status' | 'binary' | 'cut'>>

/** How many lines were added and removed, and what else there is to know at a glance. */
export function FileCounts({
  file: { status = 'changed', binary = false, cut = false, added, removed },
}: {
  file: Counted
}) {
  const names = { added: t('new'), deleted: t('deleted'), renamed: t('renamed'), changed: '' }
  return (
    <span className="file-counts">
      {names[status] !== '' && <span className="tag">{names[status]}</span>}
      {binary && <span className="tag">{t('binary')}</span>}
      {cut && <span className="tag">{t('too long')}</span>}
      {!binary && (
        <>
          <span className="count-added">+{added.toLocaleString(locale())}</span>
          <span className="count-removed">−{removed.toLocaleString(locale())}</span>
        </>
      )}
    </span>
  )
}
