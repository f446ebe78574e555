import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

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
      <span>{children}</span>
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
      onHeld()
    }, holdFor)
  }

  function stop() {
    clearTimeout(timer.current)
    setHolding(false)
  }
}
