import { useEffect, useRef, useState } from 'react'
import type { Attachment } from '../api/attachments.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { fileSize } from './file-size.ts'
import { useBlobAddress } from './use-blob-address.ts'

const largest = { width: 260, height: 170 }
const smallest = 44

interface Props {
  request: string
  file: Attachment
  onOpen: () => void
}

/** A small picture in a box of its final size: nothing jumps when it arrives. It is loaded when it is nearly in sight. */
export function Thumbnail({ request, file, onOpen }: Props) {
  const box = useRef<HTMLButtonElement>(null)
  const isNear = useIsNear(box)
  const { address, failure } = useBlobAddress(request, file, isNear)
  const [isBroken, setIsBroken] = useState(false)
  const name = titleText(file.name, 120)
  const size = thumbnailSize(file)
  return (
    <figure className="attachments-picture">
      <button
        ref={box}
        type="button"
        className="attachments-open"
        onClick={onOpen}
        aria-label={t('Open {name}', { name })}
      >
        {address !== null && !isBroken ? (
          <img src={address} alt={name} {...size} decoding="async" onError={() => setIsBroken(true)} />
        ) : (
          <svg {...size} viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true" />
        )}
        {(failure ?? (isBroken ? t('This picture is damaged.') : null)) !== null && (
          <span className="attachments-failure">{failure ?? t('This picture is damaged.')}</span>
        )}
      </button>
      <figcaption title={name}>
        <span className="attachments-name">{name}</span>{' '}
        <span className="attachments-about">
          {file.width} × {file.height} · {fileSize(file.size)}
        </span>
      </figcaption>
    </figure>
  )
}

/** In its proportions, as far as a line a pixel wide can still be clicked. */
function thumbnailSize({ width = 1, height = 1 }: Attachment): { width: number; height: number } {
  const scale = Math.min(1, largest.width / width, largest.height / height)
  const fitting = (length: number, most: number) => Math.min(most, Math.max(smallest, Math.round(length * scale)))
  return { width: fitting(width, largest.width), height: fitting(height, largest.height) }
}

function useIsNear(box: React.RefObject<HTMLElement | null>): boolean {
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (isNear || !box.current) return
    const observer = new IntersectionObserver(
      entries => entries.some(entry => entry.isIntersecting) && setIsNear(true),
      { rootMargin: '300px' },
    )
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [box, isNear])
  return isNear
}
