import { useEffect, useId, useRef } from 'react'

interface Props {
  label: string
  /** Where the label is not said by what stands around the field. */
  labelled?: boolean
  /** What is written is read to the letter: a command. */
  mono?: boolean
  value: string
  rows: number
  onChange: (value: string) => void
  describedBy?: string | undefined
  focus?: boolean
}

/** A text field as tall as its text, so that nothing of it is out of sight. */
export function GrowingText(props: Props) {
  const { label, labelled = false, mono = false, value, rows, onChange, describedBy, focus = false } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const id = useId()
  useEffect(() => {
    if (!focus) return
    field.current?.focus()
    field.current?.scrollIntoView({ block: 'nearest' })
  }, [focus])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with every text
  useEffect(() => {
    // Browsers that grow it by themselves need no help.
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
        className={mono ? 'growing mono' : 'growing'}
        {...(mono ? { spellCheck: false, autoCapitalize: 'off', autoCorrect: 'off' } : {})}
        {...(labelled ? {} : { 'aria-label': label })}
        aria-describedby={describedBy}
        rows={rows}
        value={value}
        onChange={event => onChange(event.target.value)}
        dir={mono ? 'ltr' : 'auto'}
      />
    </div>
  )
}
