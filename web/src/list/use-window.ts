import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows are drawn this far beyond what is visible, so that scrolling shows no gap. */
const beyond = 10

export interface Window {
  readonly from: number
  readonly to: number
}

/** Which of many rows are in sight: only these are in the document, so that thousands cost as much as twenty. */
export function useWindow(scroller: RefObject<HTMLElement | null>, tops: readonly number[]): Window {
  const [shown, setShown] = useState<Window>({ from: 0, to: 40 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const update = () => {
      const from = Math.max(0, indexAt(tops, element.scrollTop) - beyond)
      const to = indexAt(tops, element.scrollTop + element.clientHeight) + beyond
      setShown(before => (before.from === from && before.to === to ? before : { from, to }))
    }
    update()
    element.addEventListener('scroll', update, { passive: true })
    const observer = new ResizeObserver(update)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', update)
      observer.disconnect()
    }
  }, [scroller, tops])
  return shown
}

/** The last row that begins at or above this height. */
function indexAt(tops: readonly number[], height: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((tops[middle] ?? 0) <= height) low = middle
    else high = middle - 1
  }
  return low
}
