import { useId, useRef } from 'react'
import { dependencyLimits } from '../../../src/protocol/limits.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import './file-upload.css'

interface Props {
  file: File | null
  /** Between 0 and 1 while uploading. */
  progress: number | null
  onChoose: (file: File | null) => void
  onError: (why: string) => void
}

const mebibyte = 1_048_576

/** A file from this device, instead of a path. */
export function FileUpload({ file, progress, onChoose, onError }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="file-upload">
      <label htmlFor={id}>{t('Or upload a file from this device')}</label>
      <input ref={input} id={id} type="file" onChange={event => choose(event.target.files?.[0] ?? null)} />
      {file && (
        <p className="chosen-file">
          <b>{titleText(file.name, 120)}</b> <span className="quiet">{formatSize(file.size)}</span>
          <button type="button" className="quiet-button" onClick={() => choose(null)}>
            {t('Remove file')}
          </button>
        </p>
      )}
      {progress !== null && <progress value={progress} max={1} aria-label={t('Uploading file')} />}
      <p className="quiet">
        {t(
          'Beckon copies the file to the machine that the agent runs on and gives the agent its path. The limit is 100 MiB.',
        )}
      </p>
    </div>
  )

  function choose(chosen: File | null) {
    const fits = chosen === null || chosen.size <= dependencyLimits.upload
    if (!fits) onError(t('The file is too large. The limit is 100 MiB.'))
    if ((!fits || chosen === null) && input.current) input.current.value = ''
    onChoose(fits ? chosen : null)
  }
}

function formatSize(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  return bytes < mebibyte ? `${Math.round(bytes / 1_024)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`
}
