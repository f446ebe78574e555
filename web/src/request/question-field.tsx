import { useEffect, useId, useRef, useState } from 'react'
import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { useShortcuts } from '../browser/shortcuts.ts'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { titleText, UntrustedLines, UntrustedTitle } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { Options } from './options.tsx'
import { isTitleQuestion } from './request-title.ts'
import { SecretField } from './secret-field.tsx'

export interface FieldProps {
  form: AnswerForm
  at: number
  problem: string | null
  update: (change: (form: AnswerForm) => void) => void
}

/** One question: its text, its options or a text field, and a note. */
export function QuestionField({ form, at, problem, update }: FieldProps) {
  const { question, secret, textRequiredBy } = form.field(at)
  const { text } = form.entry(at)
  const id = useId()
  const hasOptions = question.options.length > 0
  const asksForText = textRequiredBy !== null && form.labels(at).includes(textRequiredBy)
  const isTitle = isTitleQuestion(form.request)
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useShortcuts(hasOptions ? numberKeys(question.options.length) : {})
  useEffect(() => {
    if (problem === null) return
    const first = fieldset.current?.querySelector<HTMLElement>('input, textarea')
    first?.focus({ preventScroll: true })
    fieldset.current?.querySelector('.problem')?.scrollIntoView({ block: 'center' })
  }, [problem])

  return (
    <fieldset ref={fieldset} className="field" aria-describedby={problem ? `${id}-problem` : undefined}>
      <legend dir="auto" className={isTitle ? 'visually-hidden' : undefined}>
        {form.fields.length > 1 && question.header !== '' && (
          <span className="eyebrow">
            <UntrustedTitle text={question.header} longest={200} />
          </span>
        )}
        <UntrustedLines text={legend()} />
      </legend>
      {question.multiSelect && <p className="hint">{t('Choose all that apply.')}</p>}
      <ErrorMessage text={problem} id={`${id}-problem`} />
      {hasOptions ? (
        <Options form={form} at={at} update={update} name={`${id}-options`} invalid={problem !== null} />
      ) : secret ? (
        <SecretField
          value={text}
          label={titleText(question.header, 200)}
          focus={hasKeyboard}
          multiline={form.request.kind === 'dependency' && form.request.type === 'env_variable'}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => update(form => form.write(at, value))}
        />
      ) : form.request.kind === 'dependency' ? (
        <SingleLine
          label={titleText(legend(), 200)}
          value={text}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => update(form => form.write(at, value))}
        />
      ) : (
        <AutoSizeTextarea
          label={titleText(legend() || question.header, 400)}
          focus={hasKeyboard}
          value={text}
          rows={3}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => update(form => form.write(at, value))}
        />
      )}
      {asksForText && (
        <AutoSizeTextarea
          labelled
          focus={text === ''}
          label={t('What needs to change?')}
          value={text}
          rows={3}
          describedBy={problem ? `${id}-problem` : undefined}
          onChange={value => update(form => form.change(at, { text: value }))}
        />
      )}
      <Note value={form.entry(at).note} onChange={note => update(form => form.change(at, { note }))} />
    </fieldset>
  )

  function legend(): string {
    if (form.request.kind === 'review') return t('Does this look good?')
    if (form.request.kind === 'dependency') {
      const names: Partial<Record<typeof form.request.type, string>> = {
        permission: t('Allow this?'),
        file: t('File path'),
        package: t('Package name'),
      }
      return names[form.request.type] ?? t('Value')
    }
    return question.question
  }

  function numberKeys(count: number) {
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

// On a touch screen, focusing a text field would open a keyboard over half of the page.
const hasKeyboard = matchMedia('(pointer: fine)').matches

interface LineProps {
  label: string
  value: string
  describedBy: string | undefined
  onChange: (value: string) => void
}

/** A path or a name. Enter submits it. */
function SingleLine({ label, value, describedBy, onChange }: LineProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (hasKeyboard) input.current?.focus()
  }, [])
  return (
    <input
      ref={input}
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
  return <AutoSizeTextarea labelled label={t('Note')} value={value} rows={2} focus={open} onChange={onChange} />
}
