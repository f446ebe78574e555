import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { TextPanel } from '../bar/text-panel.tsx'
import { t } from '../words/translate.ts'

interface Props {
  form: AnswerForm
  at: number
  problem: string | null
  update: (change: (form: AnswerForm) => void) => void
  onSubmit: () => void
}

/** An answer in the person's own words, instead of an option. */
export function OtherPanel({ form, at, problem, update, onSubmit }: Props) {
  return (
    <TextPanel
      label={t('Your answer')}
      value={form.entry(at).text}
      onChange={text => update(form => form.write(at, text))}
      verb={form.fields.length > 1 ? t('Next') : t('Send')}
      needed={t('Write your answer, or choose an option.')}
      problem={problem}
      onSubmit={onSubmit}
      onCancel={() => update(form => form.change(at, { own: false }))}
    />
  )
}
