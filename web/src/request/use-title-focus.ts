import { type RefObject, useEffect } from 'react'
import { takeFocus } from '../browser/take-focus.ts'

/** A request that opens takes the focus, unless one of its fields has it. For every part that draws the title later. */
export function useTitleFocus(title: RefObject<HTMLHeadingElement | null>): void {
  useEffect(() => {
    const hasFocus = title.current?.closest('.request')?.contains(document.activeElement)
    if (!hasFocus) takeFocus(title.current, { preventScroll: true })
  }, [title])
}
