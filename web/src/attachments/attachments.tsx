import { lazy, Suspense, useState } from 'react'
import { isPicture } from '../../../src/protocol/picture.ts'
import type { Request } from '../../../src/protocol/request.ts'
import type { Attachment } from '../api/attachments.ts'
import { loadChunk } from '../browser/load-chunk.tsx'
import { t } from '../words/translate.ts'
import './attachments.css'
import { FileRow } from './file-row.tsx'
import { Thumbnail } from './thumbnail.tsx'

const Viewer = lazy(() => loadChunk(() => import('./viewer.tsx')))

/** The files that an agent showed with its request: pictures as thumbnails that open at full size, others to download. */
export function Attachments({ request }: { request: Pick<Request, 'id' | 'attachments'> }) {
  const [opened, setOpened] = useState<string | null>(null)
  const { id, attachments } = request
  if (attachments.length === 0) return null
  const pictures = attachments.filter(isPicture)
  const others = attachments.filter(file => !isPicture(file))
  return (
    <section className="attachments" aria-label={t('Files')}>
      {pictures.length > 0 && (
        <ul className="attachments-pictures">
          {pictures.map(file => (
            <li key={file.id}>
              <Thumbnail request={id} file={file} onOpen={() => setOpened(file.id)} />
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul className="attachments-files">
          {others.map(file => (
            <li key={file.id}>
              <FileRow request={id} file={file} />
            </li>
          ))}
        </ul>
      )}
      {opened !== null && (
        <Suspense>
          <Viewer request={id} pictures={pictures} start={indexOf(pictures, opened)} onClose={() => setOpened(null)} />
        </Suspense>
      )}
    </section>
  )
}

function indexOf(pictures: readonly Attachment[], id: string): number {
  return Math.max(
    0,
    pictures.findIndex(file => file.id === id),
  )
}
