import { useEffect, useId, useRef, useState } from 'react'
import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { useKeys } from '../keys.ts'
import { GrowingText } from '../parts/growing-text.tsx'
import { SaidLines, SaidTitle, titleText } from '../text/untrusted-text.tsx'
import { t, told } from '../words/words.ts'
import { isHeadline } from './headline.ts'
import { Options } from './options.tsx'
import { SecretField } from './secret-field.tsx'

export interface FieldProps {
  form: AnswerForm
  at: number
  problem: string | null
  fill: (change: (form: AnswerForm) => void) => void
}

/** One question: its text, its options or a text field, and a note beside it. */
export function FieldOf({ form, at, problem, fill }: FieldProps) {
  const { question, secret, textRequiredBy } = form.field(at)
  const { text } = form.entry(at)
  const id = useId()
  const several = question.options.length > 0
  const asksForText = textRequiredBy !== null && form.labels(at).includes(textRequiredBy)
  const isTitle = isHeadline(form.request)
  const place = useRef<HTMLFieldSetElement>(null)
  useKeys(several ? choosing(question.options.length) : {})
  useEffect(() => {
    if (problem === null) return
    const first = place.current?.querySelector<HTMLElement>('input, textarea')
    first?.focus({ preventScroll: true })
    place.current?.querySelector('.problem')?.scrollIntoView({ block: 'center' })
  }, [problem])

  return (
    <fieldset ref={place} className="field" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend dir="auto" className={isTitle ? 'for-ears' : undefined}>
        {form.fields.length > 1 && question.header !== '' && (
          <span className="eyebrow">
            <SaidTitle text={question.header} longest={200} />
          </span>
        )}
        <SaidLines text={legend()} />
      </legend>
      {question.multiSelect && <p className="hint">{t('Choose any number.')}</p>}
      {problem && (
        <p className="problem" id={`${id}-problem`} role="alert">
          <SaidTitle text={told(problem)} longest={1_000} />
        </p>
      )}
      {several ? (
        <Options form={form} at={at} fill={fill} name={`${id}-options`} invalid={problem !== null} />
      ) : secret ? (
        <SecretField
          value={text}
          label={titleText(question.header, 200)}
          focus={hasKeyboard}
          multiline={form.request.kind === 'dependency' && form.request.type === 'env_variable'}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => fill(form => form.write(at, value))}
        />
      ) : form.request.kind === 'dependency' ? (
        <OneLine
          label={titleText(legend(), 200)}
          value={text}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => fill(form => form.write(at, value))}
        />
      ) : (
        <GrowingText
          label={titleText(legend() || question.header, 400)}
          focus={hasKeyboard}
          value={text}
          rows={3}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => fill(form => form.write(at, value))}
        />
      )}
      {asksForText && (
        <GrowingText
          labelled
          focus={text === ''}
          label={t('What should be changed?')}
          value={text}
          rows={3}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => fill(form => form.change(at, { text: value }))}
        />
      )}
      <Note value={form.entry(at).note} onChange={note => fill(form => form.change(at, { note }))} />
    </fieldset>
  )

  function legend(): string {
    if (form.request.kind === 'review') return t('Is it good as it is?')
    if (form.request.kind === 'dependency') {
      const names: Partial<Record<typeof form.request.type, string>> = {
        permission: t('May it have this?'),
        file: t('The path of the file'),
        package: t('The name of the package'),
      }
      return names[form.request.type] ?? t('Your value')
    }
    return question.question
  }

  function choosing(count: number) {
    return Object.fromEntries(
      [...Array(Math.min(9, count)).keys()].map(i => [
        String(i + 1),
        () => {
          const option = document.getElementById(`${id}-options-${i}`)
          option?.focus()
          option?.click()
        },
      ]),
    )
  }
}

// With a screen keyboard, focusing a text would cover half of the page before it was read.
const hasKeyboard = matchMedia('(pointer: fine)').matches

interface LineProps {
  label: string
  value: string
  describedBy: string | undefined
  onChange: (value: string) => void
}

/** A path or a name: Enter sends it. */
function OneLine({ label, value, describedBy, onChange }: LineProps) {
  const place = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasKeyboard) place.current?.focus()
  }, [])
  return (
    <input
      ref={place}
      className="mono"
      value={value}
      aria-label={label}
      aria-describedby={describedBy}
      onChange={event => onChange(event.target.value)}
      autoCapitalize="off"
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
    />
  )
}

function Note({ value, onChange }: { value: string; onChange: (note: string) => void }) {
  const [open, setOpen] = useState(false)
  if (!open && value === '') {
    return (
      <button type="button" className="add-note" onClick={() => setOpen(true)}>
        {t('+ Add a note')}
      </button>
    )
  }
  return <GrowingText labelled label={t('Note')} value={value} rows={2} focus={open} onChange={onChange} />
}
