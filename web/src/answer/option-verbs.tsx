import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { Verb } from '../bar/verb.tsx'
import { titleText, UntrustedTitle } from '../text/untrusted-text.tsx'
import { optionLabel } from '../words/option-label.ts'
import { t } from '../words/translate.ts'
import './option-verbs.css'

interface Props {
  form: AnswerForm
  at: number
  disabled: boolean
  onChoose: (option: number) => void
  onOther: () => void
}

/** The options of a question, each a button that answers it. */
export function OptionVerbs({ form, at, disabled, onChoose, onOther }: Props) {
  const { question } = form.field(at)
  const { chosen } = form.entry(at)
  const defaults = question.default === null ? [] : [question.default].flat()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the bar
    <div className="option-verbs" role="group" aria-label={titleText(question.question || question.header, 200)}>
      {question.options.map(({ label, description }, i) => (
        <Verb
          key={`${i}`}
          shortcut={i < 9 ? String(i + 1) : undefined}
          chosen={chosen.includes(i)}
          disabled={disabled}
          onPress={() => onChoose(i)}
          {...(description === '' ? {} : { hint: <UntrustedTitle text={description} longest={200} /> })}
        >
          <UntrustedTitle text={optionLabel(form.request, label)} longest={100} />
          {defaults.includes(label) && <span className="tag">{t('default')}</span>}
        </Verb>
      ))}
      {question.allowOther && (
        <Verb shortcut="0" disabled={disabled} hint={t('In your own words')} onPress={onOther}>
          {t('Other…')}
        </Verb>
      )}
    </div>
  )
}
