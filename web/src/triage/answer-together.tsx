import { type KeyboardEvent, useActionState, useEffect, useRef, useState } from 'react'
import { AnswerForm, type Decision } from '../../../src/form/answer-form.ts'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { readInbox } from '../api/inbox.ts'
import { getRequest, settle } from '../api/requests.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { refreshSoon } from '../state/inbox.ts'
import type { View } from '../state/view.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { optionLabel } from '../words/option-label.ts'
import { t } from '../words/translate.ts'
import { tell } from './notice.tsx'
import { each } from './snoozing.ts'
import './answer-together.css'

/** Either rows that the person selected, or what is folded into one row in a view. */
export interface Together {
  readonly verb: 'answer' | 'decline'
  readonly rows: readonly InboxRow[]
  readonly fold: View | null
}

// As many as a person reads, and the hub lists in a page.
const mostTogether = 200

interface Props {
  together: Together
  onClose: () => void
  onDone: () => void
}

/** One answer, or one no, for several requests; one confirmation, which lists every single one of them. */
export default function AnswerTogether({ together, onClose, onDone }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const [loaded, setLoaded] = useState<{ rows: readonly InboxRow[]; sample: Request } | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  useEffect(() => {
    load(together).then(setLoaded, error => setFailure(errorText(error)))
  }, [together])
  return (
    <dialog ref={dialog} className="answer-together" aria-labelledby="together-title" onClose={onClose}>
      <h2 id="together-title">
        {together.verb === 'answer' ? t('Answer together') : t('Decline together')}
        {loaded && <span className="quiet"> {t('{count} requests', { count: loaded.rows.length })}</span>}
      </h2>
      <ErrorMessage text={failure} wide />
      {loaded && (
        <TogetherForm {...loaded} verb={together.verb} onClose={() => dialog.current?.close()} onDone={onDone} />
      )}
    </dialog>
  )
}

interface FormProps {
  rows: readonly InboxRow[]
  sample: Request
  verb: Together['verb']
  onClose: () => void
  onDone: () => void
}

function TogetherForm({ rows, sample, verb, onClose, onDone }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input, textarea')?.focus(), [])
  const [done, setDone] = useState(0)
  const [problem, send, isSending] = useActionState(submit, null)
  const [field] = new AnswerForm(sample).fields
  const options = verb === 'answer' ? (field?.question.options ?? []) : []
  const takesText = verb === 'decline' || options.length === 0
  const count = rows.length
  return (
    <form action={send} ref={form} onKeyDown={press}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <ul className="answer-together-titles" tabIndex={0} aria-labelledby="together-title">
        {rows.map(row => (
          <li key={row.id} className={row.kind === 'approval' ? 'mono' : undefined}>
            <UntrustedTitle text={row.title} />
          </li>
        ))}
      </ul>
      {sample.context !== null && <p className="quiet">{t('Each has a context of its own. Open one to read it.')}</p>}
      {options.length > 0 && (
        <fieldset className="answer-together-options">
          <legend className="visually-hidden">{t('Your answer')}</legend>
          {options.map(({ label }, i) => (
            <label key={label}>
              <input
                type={field?.question.multiSelect ? 'checkbox' : 'radio'}
                name="option"
                value={label}
                required={!field?.question.multiSelect}
              />
              <UntrustedTitle text={optionLabel(sample, label)} longest={120} />
              {i < 9 && (
                <span className="key" aria-hidden="true">
                  {i + 1}
                </span>
              )}
            </label>
          ))}
        </fieldset>
      )}
      {takesText && (
        <label>
          <span className="eyebrow">{verb === 'decline' ? t('Reason') : t('Your answer')}</span>
          <textarea name="text" rows={2} required={verb === 'answer' || rows.some(needsReason)} />
        </label>
      )}
      <ErrorMessage text={problem} wide />
      <div className="button-row">
        <button type="submit" className={verb === 'decline' ? 'bad' : 'primary'} disabled={isSending}>
          {isSending
            ? `${done}/${count}`
            : verb === 'decline'
              ? t('Decline {count}', { count })
              : t('Answer {count}', { count })}
        </button>
        <button type="button" onClick={onClose}>
          {t('Cancel')}
        </button>
      </div>
    </form>
  )

  /** As on the request itself: a number chooses, Ctrl-Enter sends. */
  function press(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || event.repeat) return
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
    const option = form.current?.querySelectorAll<HTMLInputElement>('[name=option]')[Number(event.key) - 1]
    option?.focus()
    option?.click()
  }

  async function submit(_: string | null, given: FormData): Promise<string | null> {
    const decision = decisionOf(verb, given)
    if (!decision) return t('Choose one of the options.')
    const ids = rows.map(({ id }) => id)
    const { done, failed, why } = await each(ids, id => settleOrThrow(id, decision), setDone)
    refreshSoon()
    if (done.length === 0) return why
    const says =
      verb === 'decline' ? t('{count} declined', { count: done.length }) : t('{count} answered', { count: done.length })
    tell(failed.length === 0 ? says : `${says} · ${t('{count} not', { count: failed.length })}: ${why}`)
    onDone()
    onClose()
    return null
  }
}

/** A dependency is never declined without a reason. */
function needsReason({ kind }: InboxRow): boolean {
  return kind === 'dependency'
}

function decisionOf(verb: Together['verb'], given: FormData): Decision | null {
  const text = String(given.get('text') ?? '').trim()
  if (verb === 'decline') return { verb: 'decline', reason: text }
  const selected = given.getAll('option').map(String)
  if (selected.length === 0 && text === '') return null
  return { verb: 'answer', input: { answers: [selected.length > 0 ? { selected } : { text }] } }
}

async function settleOrThrow(id: string, decision: Decision): Promise<void> {
  const settled = await settle(id, decision)
  if (settled.end === 'refused') throw new Error(settled.why)
  if (settled.end === 'lost') throw new Error(t('Someone else answered first.'))
}

/** Dangerous approvals are decided one by one, whatever was selected. */
async function load({ rows, fold }: Together): Promise<{ rows: readonly InboxRow[]; sample: Request }> {
  const all = fold === null ? rows : await readFold(fold, rows)
  const safe = all.filter(({ severity }) => severity !== 'critical' && severity !== 'high')
  const [first] = safe
  if (!first) throw new Error(t('Dangerous approvals are decided one by one.'))
  return { rows: safe, sample: await getRequest(first.id) }
}

/** What the row stands for where it is shown: a fold ends at the filters of its view, and never mixes in what is urgent. */
async function readFold(view: View, [row]: readonly InboxRow[]): Promise<InboxRow[]> {
  const { rows } = await readInbox({ ...view, limit: mostTogether })
  return rows.filter(({ urgent }) => urgent === row?.urgent)
}
