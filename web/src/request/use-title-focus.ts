import { type RefObject, useEffect } from 'react'

/** A request that opens takes the focus, unless one of its fields has it. For every part that draws the title later. */
export function useTitleFocus(title: RefObject<HTMLHeadingElement | null>): void {
  useEffect(() => {
    const hasFocus = title.current?.closest('.request')?.contains(document.activeElement)
    if (!hasFocus) title.current?.focus({ preventScroll: true })
  }, [title])
}
