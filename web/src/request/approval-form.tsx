import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { editableText, readEdit } from '../../../src/rules/action-text.ts'
import { AutoSizeTextarea } from '../components/auto-size-textarea.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { type DangerLevel, dangerLevel, severityLevel } from '../state/inbox-order.ts'
import { t } from '../words/translate.ts'
import { Action } from './action.tsx'
import { ApproveButton } from './approve-button.tsx'
import { DraftOffers } from './draft-offers.tsx'
import { EditCommand } from './edit-command.tsx'
import { type ApprovalScope, RuleChoice, ruleOptionIndex } from './rule-choice.tsx'
import { useAnswerForm } from './use-answer-form.ts'
import { useSettle } from './use-settle.ts'
import { useVerdict, type VerdictState } from './use-verdict.ts'

/**
 * Approves or declines an exact action, or approves another one that the person writes. A dangerous action takes a
 * gesture that nobody makes by accident, holding a button or typing a word, after the end of the command was visible.
 */
export function ApprovalForm({ request, children }: { request: ApprovalRequest; children: ReactNode }) {
  const { form, ready, offers, update, finish } = useAnswerForm(request)
  const { busy, problem, send } = useSettle(request.id, finish)
  const { note, text } = form.entry(0)
  const { options } = form.field(0).question
  const [isEditorOpen, setEditorOpen] = useState(false)
  const [scope, setScope] = useState<ApprovalScope>('once')
  const [typing, setTyping] = useState(false)
  // The draft keeps the edited command as a text that is not part of the answer.
  const isEditing = isEditorOpen || text !== ''
  const original = editableText(request.action)
  const isChanged = isEditing && text.trim() !== '' && text.trim() !== original.trim()
  const edited = isChanged ? readEdit(request.action, text) : null
  const check = useVerdict(request.id, edited)
  const danger = isChanged ? editDanger(check, request) : dangerLevel(request)
  const end = useRef<HTMLDivElement>(null)
  const seen = useWasSeen(end, dangerLevel(request) > 0)
  const mustRead = !isChanged && danger > 0 && !seen

  return (
    <form className="answer" onSubmit={event => event.preventDefault()} noValidate autoComplete="off">
      <div className="request-body">
        {children}
        <Action action={request.action} onUse={edit} end={end} />
        {ready && <DraftOffers {...offers} />}
        {isEditing ? (
          <EditCommand
            value={text}
            check={check}
            broken={isChanged && edited === null}
            onChange={edit}
            onRestore={restore}
          />
        ) : (
          <button type="button" className="edit-button" onClick={() => edit(original)}>
            {request.action.command === undefined ? t('Edit input…') : t('Edit command…')}
          </button>
        )}
        {!isChanged && <RuleChoice action={request.action} options={options} chosen={scope} onChoose={setScope} />}
        <AutoSizeTextarea
          labelled
          label={t('Note for the agent')}
          value={note}
          rows={2}
          onChange={value => update(form => form.change(0, { note: value }))}
        />
        {danger === 1 && (
          <label className="check">
            <input type="checkbox" checked={typing} onChange={event => setTyping(event.target.checked)} />
            <span>{t('Approve by typing instead of holding')}</span>
          </label>
        )}
        <ErrorMessage text={problem} />
      </div>
      <footer className="bar approval-bar">
        <button type="button" className="decline-button" disabled={busy || !ready} onClick={() => decide(1)}>
          {t('Decline')}
        </button>
        {mustRead ? (
          <button type="button" className="bad" onClick={() => end.current?.scrollIntoView({ block: 'end' })}>
            {t('Read to the end first ↓')}
          </button>
        ) : (
          <ApproveButton
            key={`${danger}`}
            danger={danger}
            typing={typing}
            busy={busy}
            disabled={!ready || !mayRun()}
            label={isChanged ? t('Approve my version') : scope === 'once' ? t('Approve') : t('Always approve')}
            onApprove={() => decide(isChanged || scope === 'once' ? 0 : ruleOptionIndex(options, scope))}
          />
        )}
      </footer>
    </form>
  )

  /** The command must not be empty, and the guard must have checked an edited one and not refused it. */
  function mayRun(): boolean {
    if (isEditing && text.trim() === '') return false
    if (!isChanged) return true
    if (edited === null) return false
    return check.state === 'failed' || (check.state === 'checked' && check.verdict.verdict !== 'deny')
  }

  function edit(command: string) {
    setEditorOpen(true)
    update(form => form.change(0, { text: command }))
  }

  function restore() {
    setEditorOpen(false)
    update(form => form.change(0, { text: '' }))
  }

  function decide(option: number) {
    update(form => form.choose(0, option))
    const decision = form.decision()
    const isEdited = edited !== null && option === 0 && decision.verb === 'answer'
    void send(isEdited ? { ...decision, input: { ...decision.input, edited } } : decision)
  }
}

/** A command that could not be checked counts as dangerous. The guard checks it again where it runs. */
function editDanger(check: VerdictState, request: ApprovalRequest): DangerLevel {
  if (check.state === 'checked') return severityLevel(check.verdict.severity)
  return check.state === 'failed' ? (Math.max(1, dangerLevel(request)) as 1 | 2) : 0
}

/** Whether the element was ever visible. If it need not be, it counts as seen. */
function useWasSeen(target: React.RefObject<HTMLElement | null>, needed: boolean): boolean {
  const [seen, setSeen] = useState(!needed)
  useEffect(() => {
    const element = target.current
    if (seen || !element) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [target, seen])
  return seen
}
