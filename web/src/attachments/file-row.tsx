import { useActionState } from 'react'
import type { Attachment } from '../api/attachments.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import { fileSize } from './file-size.ts'
import { saveFile } from './save-file.ts'

/** A file that is not a picture: never shown, only saved. */
export function FileRow({ request, file }: { request: string; file: Attachment }) {
  const [failure, save, isSaving] = useActionState<string | null>(
    () => saveFile(request, file).then(() => null, errorText),
    null,
  )
  return (
    <form action={save} className="attachments-file">
      <span className="attachments-name">
        <UntrustedTitle text={file.name} longest={120} />
      </span>
      <span className="attachments-about">
        {file.type === 'text/plain' ? t('Text') : t('File')} · {fileSize(file.size)}
      </span>
      <button type="submit" className="quiet-button" disabled={isSaving}>
        {t('Download')}
      </button>
      <ErrorMessage text={failure} />
    </form>
  )
}
