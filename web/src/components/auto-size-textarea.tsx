import { useEffect, useId, useRef } from 'react'
import { takeFocus } from '../browser/take-focus.ts'
import './auto-size-textarea.css'

interface Props {
  label: string
  /** Show the label; otherwise only screen readers get it. */
  labelled?: boolean
  /** For commands: a monospaced font, no spelling check, left to right. */
  mono?: boolean
  value: string
  rows: number
  onChange: (value: string) => void
  describedBy?: string | undefined
  focus?: boolean
  placeholder?: string | undefined
}

/** A text field that is as tall as its text. */
export function AutoSizeTextarea(props: Props) {
  const {
    label,
    labelled = false,
    mono = false,
    value,
    rows,
    onChange,
    describedBy,
    focus = false,
    placeholder,
  } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => {
    if (!focus) return
    takeFocus(field.current)
    field.current?.scrollIntoView({ block: 'nearest' })
  }, [focus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the text changes
  useEffect(() => {
    // Some browsers do this on their own.
    if (!field.current || CSS.supports('field-sizing', 'content')) return
    field.current.style.height = 'auto'
    field.current.style.height = `${field.current.scrollHeight + 2}px`
  }, [value])
  return (
    <div className="stacked">
      {labelled && <label htmlFor={id}>{label}</label>}
      <textarea
        ref={field}
        id={id}
        className={mono ? 'auto-size mono' : 'auto-size'}
        {...(mono ? { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } : {})}
        {...(labelled ? {} : { 'aria-label': label })}
        aria-describedby={describedBy}
        rows={rows}
        placeholder={placeholder}
        value={value}
        onChange={event => onChange(event.target.value)}
        dir={mono ? 'ltr' : 'auto'}
      />
    </div>
  )
}
