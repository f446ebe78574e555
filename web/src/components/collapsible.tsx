import { type ReactNode, useEffect, useRef, useState } from 'react'
import { t } from '../words/translate.ts'
import './collapsible.css'

/** Collapses content that is taller than a screen, so that the answer below stays within reach. */
export function Collapsible({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const content = useRef<HTMLDivElement>(null)
  const [screens, setScreens] = useState(0)
  const [open, setOpen] = useState(isOpen)
  useEffect(() => {
    const element = content.current
    if (!element || open) return
    const observer = new ResizeObserver(() => setScreens(element.scrollHeight / window.innerHeight))
    observer.observe(element)
    // Whatever the keyboard moves to must be visible.
    const show = () => setOpen(true)
    element.addEventListener('focusin', show)
    return () => {
      observer.disconnect()
      element.removeEventListener('focusin', show)
    }
  }, [open])
  const isCollapsed = screens > 1 && !open
  return (
    <>
      <div className={isCollapsed ? 'collapsed' : undefined}>
        <div ref={content}>{children}</div>
      </div>
      {isCollapsed && (
        <button type="button" className="expand" onClick={() => setOpen(true)}>
          {t('Show all ({count} screens)', { count: screens.toFixed(1) })}
        </button>
      )}
    </>
  )
}
