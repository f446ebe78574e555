import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { Attachment } from '../api/attachments.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { t } from '../words/translate.ts'
import { fileSize } from './file-size.ts'
import { saveFile } from './save-file.ts'
import { useBlobAddress } from './use-blob-address.ts'
import './viewer.css'

interface Props {
  request: string
  pictures: readonly Attachment[]
  start: number
  onClose: () => void
}

/** A picture over the whole page. Arrows go to the next one; Enter or a click shows it pixel by pixel; Escape closes. */
export default function Viewer({ request, pictures, start, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [at, setAt] = useState(start)
  const [isWhole, setIsWhole] = useState(true)
  useEffect(() => dialog.current?.showModal(), [])
  const file = pictures[Math.min(at, pictures.length - 1)]
  const { address, failure } = useBlobAddress(request, file, true)
  const [notSaved, setNotSaved] = useState<string | null>(null)
  if (!file) return null
  const name = titleText(file.name, 120)
  return (
    <dialog ref={dialog} className="viewer" aria-label={name} onClose={onClose} onKeyDown={press}>
      <header className="viewer-bar">
        <p>
          <UntrustedTitle text={file.name} longest={120} />{' '}
          <span className="viewer-about">
            {file.width} × {file.height} · {fileSize(file.size)}
            {pictures.length > 1 && ` · ${at + 1} / ${pictures.length}`}
          </span>
        </p>
        {pictures.length > 1 && (
          <>
            <button type="button" onClick={() => move(-1)} disabled={at === 0} aria-label={t('Previous picture')}>
              ←
            </button>
            <button
              type="button"
              onClick={() => move(1)}
              disabled={at === pictures.length - 1}
              aria-label={t('Next picture')}
            >
              →
            </button>
          </>
        )}
        <button type="button" onClick={save}>
          {t('Download')}
        </button>
        <button type="button" onClick={() => dialog.current?.close()}>
          {t('Close')}
        </button>
      </header>
      <ErrorMessage text={failure ?? notSaved} />
      <button
        type="button"
        className={`viewer-stage ${isWhole ? 'whole' : 'actual'}`}
        aria-label={isWhole ? t('Show every pixel') : t('Fit to the window')}
        onClick={() => setIsWhole(!isWhole)}
      >
        {address !== null && <img src={address} alt={name} width={file.width} height={file.height} />}
      </button>
    </dialog>
  )

  function press(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowLeft: -1, k: -1, ArrowRight: 1, j: 1 }
    const step = steps[event.key]
    // While every pixel is shown, arrows scroll.
    if (step === undefined || (!isWhole && event.key.startsWith('Arrow'))) return
    event.preventDefault()
    move(step)
  }

  function move(step: number) {
    setAt(Math.min(Math.max(at + step, 0), pictures.length - 1))
    setIsWhole(true)
  }

  function save() {
    setNotSaved(null)
    saveFile(request, file as Attachment).catch(error => setNotSaved(errorText(error)))
  }
}
