import { useActionState, useEffect, useRef, useState } from 'react'
import { AnswerForm, type Decision } from '../../../src/form/answer-form.ts'
import type { InboxRow } from '../../../src/protocol/inbox.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { readInbox } from '../api/inbox.ts'
import { getRequest, settle } from '../api/requests.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { refreshSoon } from '../state/inbox.ts'
import { UntrustedTitle } from '../text/untrusted-text.tsx'
import { errorText } from '../words/error-text.ts'
import { optionLabel } from '../words/option-label.ts'
import { t } from '../words/translate.ts'
import { tell } from './notice.tsx'
import { each } from './snoozing.ts'
import './answer-together.css'

/** Either rows that the person selected, or everything that is like one row. */
export interface Together {
  readonly verb: 'answer' | 'decline'
  readonly rows: readonly InboxRow[]
  readonly alike: string | null
}

const shownTitles = 4

/** One answer, or one no, for several requests; one confirmation, which says for how many. */
export default function AnswerTogether({ together, onClose }: { together: Together; onClose: () => void }) {
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
      {loaded && <TogetherForm {...loaded} verb={together.verb} onClose={() => dialog.current?.close()} />}
    </dialog>
  )
}

interface FormProps {
  rows: readonly InboxRow[]
  sample: Request
  verb: Together['verb']
  onClose: () => void
}

function TogetherForm({ rows, sample, verb, onClose }: FormProps) {
  const [done, setDone] = useState(0)
  const [problem, send, isSending] = useActionState(submit, null)
  const [field] = new AnswerForm(sample).fields
  const options = verb === 'answer' ? (field?.question.options ?? []) : []
  const takesText = verb === 'decline' || options.length === 0
  const count = rows.length
  return (
    <form action={send}>
      <ul className="answer-together-titles">
        {rows.slice(0, shownTitles).map(row => (
          <li key={row.id} className={row.kind === 'approval' ? 'mono' : undefined}>
            <UntrustedTitle text={row.title} longest={120} />
          </li>
        ))}
        {count > shownTitles && <li className="quiet">{t('and {count} more', { count: count - shownTitles })}</li>}
      </ul>
      {options.length > 0 && (
        <fieldset className="answer-together-options">
          <legend className="visually-hidden">{t('Your answer')}</legend>
          {options.map(({ label }) => (
            <label key={label}>
              <input
                type={field?.question.multiSelect ? 'checkbox' : 'radio'}
                name="option"
                value={label}
                required={!field?.question.multiSelect}
              />
              <UntrustedTitle text={optionLabel(sample, label)} longest={120} />
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
async function load({ rows, alike }: Together): Promise<{ rows: readonly InboxRow[]; sample: Request }> {
  const all = alike === null ? rows : await readAlike(alike)
  const safe = all.filter(({ severity }) => severity !== 'critical' && severity !== 'high')
  const [first] = safe
  if (!first) throw new Error(t('Dangerous approvals are decided one by one.'))
  return { rows: safe, sample: await getRequest(first.id) }
}

async function readAlike(alike: string): Promise<InboxRow[]> {
  const rows: InboxRow[] = []
  let after: string | null | undefined
  do {
    const page = await readInbox({ view: 'waiting', alike, limit: 200, ...(after ? { after } : {}) })
    rows.push(...page.rows)
    after = page.next
  } while (after !== null)
  return rows
}
