import { useState } from 'react'
import type { AnswerForm } from '../../../src/form/answer-form.ts'
import type { Question } from '../../../src/protocol/request.ts'
import { useShortcuts } from '../browser/shortcuts.ts'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { Code } from '../text/code.tsx'
import { Markdown } from '../text/lazy-markdown.tsx'
import { titleText, UntrustedLines, UntrustedTitle } from '../text/untrusted-text.tsx'
import { optionLabel } from '../words/option-label.ts'
import { t } from '../words/translate.ts'
import './options.css'

interface Props {
  form: AnswerForm
  at: number
  name: string
  invalid: boolean
  update: (change: (form: AnswerForm) => void) => void
}

/** Radios or checkboxes, with the preview of the hovered or focused option beside them. */
export function Options({ form, at, name, invalid, update }: Props) {
  const { question } = form.field(at)
  const { chosen, own, text } = form.entry(at)
  const [hovered, setHovered] = useState<number | null>(null)
  const type = question.multiSelect ? 'checkbox' : 'radio'
  const previews = question.options.some(({ preview }) => preview !== '')
  const previewed = hovered ?? chosen.at(-1) ?? question.options.findIndex(({ preview }) => preview !== '')
  const defaults = question.default === null ? [] : [question.default].flat()
  useShortcuts(
    Object.fromEntries([
      ...question.options.slice(0, 9).map((_, i) => [String(i + 1), () => press(`${name}-${i}`)]),
      ...(question.allowOther ? [['0', () => press(`${name}-other`)]] : []),
    ]),
  )

  return (
    <div className={`options ${previews ? 'with-previews' : ''}`}>
      <div className="option-list">
        {question.options.map((option, i) => (
          <label
            key={`${i}`}
            className="option"
            onPointerEnter={event => event.pointerType === 'mouse' && setHovered(i)}
            onPointerLeave={() => setHovered(null)}
          >
            <input
              id={`${name}-${i}`}
              type={type}
              name={name}
              checked={chosen.includes(i)}
              aria-invalid={invalid || undefined}
              onChange={() => {
                setHovered(null)
                update(form => (question.multiSelect ? form.toggle(at, i) : form.choose(at, i)))
              }}
              onFocus={() => setHovered(i)}
            />
            <span className="option-text">
              <span className="option-label" dir="auto">
                <UntrustedTitle text={optionLabel(form.request, option.label)} longest={1_000} />
                {defaults.includes(option.label) && <span className="tag">{t('default')}</span>}
              </span>
              {option.description !== '' && (
                <span className="option-description" dir="auto">
                  <UntrustedLines text={option.description} />
                </span>
              )}
            </span>
            {i < 9 && (
              <span className="key option-key" aria-hidden="true">
                {i + 1}
              </span>
            )}
          </label>
        ))}
        {question.allowOther && (
          <div className={`option other ${own ? 'open' : ''}`}>
            <label>
              <input
                id={`${name}-other`}
                type={type}
                name={name}
                checked={own}
                onChange={() => update(form => (own ? form.change(at, { own: false }) : form.write(at, text)))}
              />
              <span className="option-text">
                <span className="option-label">{t('Other…')}</span>
              </span>
              <span className="key option-key" aria-hidden="true">
                0
              </span>
            </label>
            {own && (
              <AutoSizeTextarea
                label={t('Your answer')}
                value={text}
                rows={2}
                focus={text === ''}
                onChange={value => update(form => form.write(at, value))}
              />
            )}
          </div>
        )}
      </div>
      {previews && <Preview option={question.options[previewed]} />}
    </div>
  )
}

/** As a click would, with the focus on it. */
function press(id: string): void {
  const option = document.getElementById(id)
  option?.focus()
  option?.click()
}

// With code in it, it is Markdown; anything else may be a drawing, in which every space counts.
const fence = /^ {0,3}(```|~~~)/m

function Preview({ option }: { option: Question['options'][number] | undefined }) {
  return (
    <div className="preview" aria-live="off">
      <p className="eyebrow">{option ? titleText(option.label, 80) : t('Preview')}</p>
      {option?.preview && fence.test(option.preview) ? (
        <Markdown source={option.preview} />
      ) : option?.preview ? (
        <Code text={option.preview} label={t('Preview of {label}', { label: titleText(option.label, 80) })} />
      ) : (
        <p className="quiet">{t('No preview')}</p>
      )}
    </div>
  )
}
