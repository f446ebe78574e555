import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../words/words.ts'

const holdFor = 1_200

/** A button that acts when it was held long enough, by pointer or by key; a click alone does nothing. */
export function HoldButton({
  disabled,
  describedBy,
  onHeld,
  children,
}: {
  disabled: boolean
  describedBy: string
  onHeld: () => void
  children: string
}) {
  const [holding, setHolding] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return (
    <button
      type="button"
      className={`hold bad ${holding ? 'holding' : ''}`}
      disabled={disabled}
      aria-describedby={describedBy}
      onPointerDown={event => event.button === 0 && begin()}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onKeyDown={byKey}
      onKeyUp={stop}
      onBlur={stop}
      onContextMenu={event => event.preventDefault()}
    >
      <span className="hold-fill" aria-hidden="true" />
      <span aria-live="polite">{holding ? t('Keep holding…') : children}</span>
    </button>
  )

  function byKey(event: KeyboardEvent) {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat) begin()
  }

  function begin() {
    clearTimeout(timer.current)
    setHolding(true)
    timer.current = setTimeout(() => {
      setHolding(false)
      swallowTheClick()
      onHeld()
    }, holdFor)
  }

  function stop() {
    clearTimeout(timer.current)
    setHolding(false)
  }
}

/** The finger is still down when all is done: what lies under it then is not what it pressed. */
function swallowTheClick() {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    window.removeEventListener('click', swallow, true)
  }
  const letGo = () => setTimeout(() => window.removeEventListener('click', swallow, true), 400)
  window.addEventListener('click', swallow, true)
  for (const end of ['pointerup', 'pointercancel', 'keyup']) window.addEventListener(end, letGo, { once: true })
}
