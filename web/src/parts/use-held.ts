import { type RefObject, useEffect, useState } from 'react'

const afterTouch = 2_000

/** Whether somebody is about to use what is in there: a pointer is over it, the focus is in it, a finger was just on it. */
export function useHeld(place: RefObject<HTMLElement | null>): boolean {
  const [held, setHeld] = useState(false)
  useEffect(() => {
    const element = place.current
    if (!element) return
    let over = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => setHeld(over || element.contains(document.activeElement))
    const enter = (event: PointerEvent) => {
      clearTimeout(timer)
      over = true
      update()
      if (event.pointerType !== 'mouse') timer = setTimeout(leave, afterTouch)
    }
    const leave = () => {
      over = false
      update()
    }
    const leaveByMouse = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') leave()
    }
    element.addEventListener('pointerenter', enter)
    element.addEventListener('pointerdown', enter)
    element.addEventListener('pointerleave', leaveByMouse)
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', update)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('pointerenter', enter)
      element.removeEventListener('pointerdown', enter)
      element.removeEventListener('pointerleave', leaveByMouse)
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', update)
    }
  }, [place])
  return held
}
