import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { t } from '../words/translate.ts'
import './hold-button.css'

const holdFor = 1_200

/** A button that acts after it was held long enough, by pointer or key. A click does nothing. */
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
      onPointerDown={event => event.button === 0 && startHolding()}
      onPointerUp={stop}
      onPointerLeave={stop}
      onPointerCancel={stop}
      onKeyDown={holdByKey}
      onKeyUp={stop}
      onBlur={stop}
      onContextMenu={event => event.preventDefault()}
    >
      <span className="hold-fill" aria-hidden="true" />
      <span aria-live="polite">{holding ? t('Keep holding…') : children}</span>
    </button>
  )

  function holdByKey(event: KeyboardEvent) {
    if (event.key !== ' ' && event.key !== 'Enter') return
    event.preventDefault()
    if (!event.repeat) startHolding()
  }

  function startHolding() {
    clearTimeout(timer.current)
    setHolding(true)
    timer.current = setTimeout(() => {
      setHolding(false)
      swallowClick()
      onHeld()
    }, holdFor)
  }

  function stop() {
    clearTimeout(timer.current)
    setHolding(false)
  }
}

/** The finger is still down when the action runs. Its click must not hit what appears under it then. */
function swallowClick() {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
    window.removeEventListener('click', swallow, true)
  }
  const onRelease = () => setTimeout(() => window.removeEventListener('click', swallow, true), 400)
  window.addEventListener('click', swallow, true)
  for (const end of ['pointerup', 'pointercancel', 'keyup']) window.addEventListener(end, onRelease, { once: true })
}
