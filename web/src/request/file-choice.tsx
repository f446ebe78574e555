import { useId, useRef } from 'react'
import { dependencyLimits } from '../../../src/protocol/limits.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/words.ts'

interface Props {
  file: File | null
  /** Between 0 and 1 while it is sent. */
  progress: number | null
  onChoose: (file: File | null) => void
  onTooLarge: (why: string) => void
}

const mebibyte = 1_048_576

/** A file of this device, in place of a path. */
export function FileChoice({ file, progress, onChoose, onTooLarge }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className="file-choice">
      <label htmlFor={id}>{t('Or hand over a file of this device')}</label>
      <input ref={input} id={id} type="file" onChange={event => choose(event.target.files?.[0] ?? null)} />
      {file && (
        <p className="chosen-file">
          <b>{titleText(file.name, 120)}</b> <span className="quiet">{sizeOf(file.size)}</span>
          <button type="button" className="quiet-button" onClick={() => choose(null)}>
            {t('Take it out')}
          </button>
        </p>
      )}
      {progress !== null && <progress value={progress} max={1} aria-label={t('Sending the file')} />}
      <p className="quiet">
        {t('A copy is laid on the machine of the agent, and the agent gets its path. 100 MiB at most.')}
      </p>
    </div>
  )

  function choose(chosen: File | null) {
    const fits = chosen === null || chosen.size <= dependencyLimits.upload
    if (!fits) onTooLarge(t('It is too large: 100 MiB at most.'))
    if ((!fits || chosen === null) && input.current) input.current.value = ''
    onChoose(fits ? chosen : null)
  }
}

function sizeOf(bytes: number): string {
  if (bytes < 1_024) return `${bytes} B`
  return bytes < mebibyte ? `${Math.round(bytes / 1_024)} KiB` : `${(bytes / mebibyte).toFixed(1)} MiB`
}
