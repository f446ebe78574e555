import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../words/words.ts'

/** What is taller than a screen is folded, so that what it leads up to is not out of reach; a button shows all of it. */
export function Folding({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const inside = useRef<HTMLDivElement>(null)
  const [screens, setScreens] = useState(0)
  const [open, setOpen] = useState(isOpen)
  useEffect(() => {
    const element = inside.current
    if (!element || open) return
    const observer = new ResizeObserver(() => setScreens(element.scrollHeight / window.innerHeight))
    observer.observe(element)
    // What is gone to by keys must be seen.
    const show = () => setOpen(true)
    element.addEventListener('focusin', show)
    return () => {
      observer.disconnect()
      element.removeEventListener('focusin', show)
    }
  }, [open])
  const isFolded = screens > 1 && !open
  return (
    <>
      <div className={isFolded ? 'folded' : undefined}>
        <div ref={inside}>{children}</div>
      </div>
      {isFolded && (
        <button type="button" className="unfold" onClick={() => setOpen(true)}>
          {t('Show all of it ({count} screens)', { count: screens.toFixed(1) })}
        </button>
      )}
    </>
  )
}
