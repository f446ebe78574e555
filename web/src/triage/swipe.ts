const far = 88
const clearlySideways = 12

/**
 * A row that a finger drags aside is snoozed when it was dragged far enough; otherwise it springs back. A mouse selects and
 * drags links, so it does not swipe.
 */
export function swipeToSnooze(onSwiped: () => void): (place: HTMLElement | null) => (() => void) | undefined {
  return place => {
    if (!place) return undefined
    let from: { x: number; y: number; id: number } | null = null
    let dragged = 0
    const down = (event: PointerEvent) => {
      if (event.pointerType === 'touch') from = { x: event.clientX, y: event.clientY, id: event.pointerId }
      dragged = 0
    }
    const move = (event: PointerEvent) => {
      if (from?.id !== event.pointerId) return
      const across = Math.min(0, event.clientX - from.x)
      if (dragged === 0 && Math.abs(event.clientY - from.y) > clearlySideways) return end()
      if (dragged === 0 && -across < clearlySideways) return
      dragged = across
      place.setPointerCapture(event.pointerId)
      place.dataset.swiping = dragged < -far ? 'far' : 'near'
      place.style.setProperty('--swiped', `${dragged}px`)
    }
    const up = () => {
      const isFar = dragged < -far
      end()
      if (isFar) onSwiped()
    }
    const end = () => {
      from = null
      delete place.dataset.swiping
      place.style.removeProperty('--swiped')
    }
    // A swipe is not a tap.
    const click = (event: MouseEvent) => {
      if (dragged === 0) return
      event.preventDefault()
      event.stopPropagation()
      dragged = 0
    }
    place.addEventListener('pointerdown', down)
    place.addEventListener('pointermove', move)
    place.addEventListener('pointerup', up)
    place.addEventListener('pointercancel', end)
    place.addEventListener('click', click, true)
    return () => {
      place.removeEventListener('pointerdown', down)
      place.removeEventListener('pointermove', move)
      place.removeEventListener('pointerup', up)
      place.removeEventListener('pointercancel', end)
      place.removeEventListener('click', click, true)
    }
  }
}
