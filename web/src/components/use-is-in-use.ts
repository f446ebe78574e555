import { type RefObject, useEffect, useState } from 'react'

const touchLasts = 2_000

/** Whether a person is using an element: the pointer is over it, the focus is in it, or they just touched it. */
export function useIsInUse(target: RefObject<HTMLElement | null>): boolean {
  const [inUse, setInUse] = useState(false)
  useEffect(() => {
    const element = target.current
    if (!element) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => setInUse(isOver || element.contains(document.activeElement))
    const enter = (event: PointerEvent) => {
      clearTimeout(timer)
      isOver = true
      update()
      if (event.pointerType !== 'mouse') timer = setTimeout(leave, touchLasts)
    }
    const leave = () => {
      isOver = false
      update()
    }
    const leaveByMouse = (event: PointerEvent) => {
      if (event.pointerType === 'mouse') leave()
    }
    element.addEventListener('pointerenter', enter)
    element.addEventListener('pointerdown', enter)
    element.addEventListener('pointerleave', leaveByMouse)
    // A button that disappears takes the focus with it, and no event tells.
    document.addEventListener('keyup', update)
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', update)
    return () => {
      clearTimeout(timer)
      element.removeEventListener('pointerenter', enter)
      element.removeEventListener('pointerdown', enter)
      element.removeEventListener('pointerleave', leaveByMouse)
      document.removeEventListener('keyup', update)
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', update)
    }
  }, [target])
  return inUse
}
