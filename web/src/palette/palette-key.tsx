import { lazy, Suspense, useEffect, useState } from 'react'
import { DialogLoading, loadChunk } from '../browser/load-chunk.tsx'

const Palette = lazy(() => loadChunk(() => import('./palette.tsx')))

/** Opens the palette on Ctrl-K, also while a person types. */
export function PaletteOnKey() {
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isKey = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.code === 'KeyK'
      if (!isKey) return
      // Browsers would go to their own search field.
      event.preventDefault()
      if (!document.querySelector('dialog[open]')) setIsOpen(true)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
  return <Suspense fallback={<DialogLoading />}>{isOpen && <Palette onClose={() => setIsOpen(false)} />}</Suspense>
}
