import { useEffect, useId, useRef } from 'react'
import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { takeFocus } from '../browser/take-focus.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { titleText, UntrustedLines } from '../text/untrusted-text.tsx'
import { isShortQuestion } from '../words/request-title.ts'
import { t } from '../words/translate.ts'
import type { AnswerPlace } from './answer-place.ts'
import { hasKeyboard } from './has-keyboard.ts'
import { Options } from './options.tsx'
import { SecretField } from './secret-field.tsx'
import './question-field.css'

interface Props {
  form: AnswerForm
  at: number
  problem: string | null
  place: AnswerPlace
  update: (change: (form: AnswerForm) => void) => void
}

/** One question, if the title is not all of it, and the fields that have no room in the bar. */
export function QuestionField({ form, at, problem, place, update }: Props) {
  const { question, secret } = form.field(at)
  const { text } = form.entry(at)
  const id = useId()
  const isTitle = form.request.kind === 'question' && isShortQuestion(question.question)
  const fieldset = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    if (problem === null) return
    const first = fieldset.current?.querySelector<HTMLElement>('input, textarea')
    first?.focus({ preventScroll: true })
    fieldset.current?.querySelector('.problem')?.scrollIntoView({ block: 'center' })
  }, [problem])

  if (place !== 'form') {
    return isTitle || question.question.trim() === '' ? null : (
      <p className="question-text" dir="auto">
        <UntrustedLines text={question.question} />
      </p>
    )
  }
  const describedBy = problem ? `${id}-problem` : undefined
  const onChange = (value: string) => update(form => form.write(at, value))
  return (
    <fieldset ref={fieldset} className="field" aria-describedby={describedBy}>
      <legend dir="auto" className={isTitle ? 'visually-hidden' : undefined}>
        <UntrustedLines text={legend()} />
      </legend>
      {question.multiSelect && <p className="hint">{t('Choose all that apply.')}</p>}
      <ErrorMessage text={problem} id={`${id}-problem`} />
      {question.options.length > 0 ? (
        <Options form={form} at={at} update={update} name={`${id}-options`} invalid={problem !== null} />
      ) : secret ? (
        <SecretField
          value={text}
          label={titleText(question.header, 200)}
          focus={hasKeyboard}
          multiline={form.request.kind === 'dependency' && form.request.type === 'env_variable'}
          describedBy={describedBy}
          onChange={onChange}
        />
      ) : (
        <SingleLine label={titleText(legend(), 200)} value={text} describedBy={describedBy} onChange={onChange} />
      )}
    </fieldset>
  )

  function legend(): string {
    if (form.request.kind !== 'dependency') return question.question
    const names: Partial<Record<typeof form.request.type, string>> = {
      permission: t('Allow this?'),
      file: t('File path'),
      package: t('Package name'),
    }
    return names[form.request.type] ?? t('Value')
  }
}

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
    if (hasKeyboard) takeFocus(input.current)
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
