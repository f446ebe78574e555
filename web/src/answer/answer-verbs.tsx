import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { Verb } from '../bar/verb.tsx'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import type { AnswerPlace } from './answer-place.ts'
import { hasKeyboard } from './has-keyboard.ts'
import { OptionVerbs } from './option-verbs.tsx'

interface Props {
  form: AnswerForm
  at: number
  /** Null when all answers are reviewed. */
  place: AnswerPlace | null
  busy: boolean
  sendLabel: string
  update: (change: (form: AnswerForm) => void) => void
  onChoose: (option: number) => void
  /** Goes on without an answer, where that is allowed. */
  onBlank: (() => void) | undefined
}

/** The part of the bar that answers: options, a text field, or the button that sends the form above. */
export function AnswerVerbs({ form, at, place, busy, sendLabel, update, onChoose, onBlank }: Props) {
  if (place === 'verbs') {
    return (
      <>
        <OptionVerbs
          form={form}
          at={at}
          disabled={busy}
          onChoose={onChoose}
          onOther={() => update(form => form.write(at, form.entry(at).text))}
        />
        {onBlank && <Verb onPress={onBlank}>{t('Leave blank')}</Verb>}
      </>
    )
  }
  const question = form.fields[at]?.question
  const hasDefault = place !== null && question !== undefined && question.default !== null
  return (
    <>
      {place === 'text' && question && (
        <div className="decision-text">
          <AutoSizeTextarea
            key={at}
            label={titleText(question.question || question.header, 400)}
            placeholder={hasDefault ? defaultText() : undefined}
            focus={hasKeyboard}
            value={form.entry(at).text}
            rows={2}
            onChange={text => update(form => form.write(at, text))}
          />
        </div>
      )}
      <button type="submit" className="verb primary" disabled={busy} aria-busy={busy}>
        <span className="verb-label">{sendLabel}</span>
      </button>
      {hasDefault && form.isBlank(at) && (
        // biome-ignore lint/correctness/useHookAtTopLevel: a method of the form, not a hook
        <Verb onPress={() => update(form => form.useDefault(at))}>{t('Use the default')}</Verb>
      )}
    </>
  )

  function defaultText(): string {
    return titleText(`${t('default')}: ${[question?.default ?? []].flat().join(', ')}`, 120)
  }
}
