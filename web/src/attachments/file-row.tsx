import { useState, useTransition } from 'react'
import type { Attachment } from '../api/attachments.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import { fileSize } from './file-size.ts'
import { saveFile } from './save-file.ts'

/** A file that is not a picture: never shown, only saved. Not a form: it stands inside the one that answers. */
export function FileRow({ request, file }: { request: string; file: Attachment }) {
  const [failure, setFailure] = useState<string | null>(null)
  const [isSaving, startSaving] = useTransition()
  return (
    <div className="attachments-file">
      <span className="attachments-name">
        <UntrustedTitle text={file.name} longest={120} />
      </span>
      <span className="attachments-about">
        {file.type === 'text/plain' ? t('Text') : t('File')} · {fileSize(file.size)}
      </span>
      <button type="button" className="quiet-button" disabled={isSaving} onClick={save}>
        {t('Download')}
      </button>
      <ErrorMessage text={failure} />
    </div>
  )

  function save() {
    startSaving(async () => setFailure(await saveFile(request, file).then(() => null, errorText)))
  }
}
