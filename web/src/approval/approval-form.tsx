import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { editableText, readEdit } from '../../../src/rules/action-text.ts'
import { DecisionBar } from '../bar/decision-bar.tsx'
import { useAskBack } from '../bar/use-ask-back.ts'
import { Verb } from '../bar/verb.tsx'
import { DraftOffers } from '../request/draft-offers.tsx'
import { Note } from '../request/note.tsx'
import { RequestFrame } from '../request/request-frame.tsx'
import { RequestHeader } from '../request/request-header.tsx'
import { useAnswerForm } from '../request/use-answer-form.ts'
import { useSettle } from '../request/use-settle.ts'
import { type DangerLevel, dangerLevel, severityLevel } from '../state/danger.ts'
import { titleText } from '../text/untrusted-text.tsx'
import { t } from '../words/translate.ts'
import { Action } from './action.tsx'
import { ApproveButton } from './approve-button.tsx'
import { EditCommand } from './edit-command.tsx'
import { hasRules, RuleChoice, ruleOptionIndex } from './rule-choice.tsx'
import { useVerdict, type VerdictState } from './use-verdict.ts'

interface Props {
  request: ApprovalRequest
  title: React.RefObject<HTMLHeadingElement | null>
  about: ReactNode
}

/**
 * Approves or declines an exact action, or approves another one that the person writes. A dangerous action takes a
 * gesture that nobody makes by accident, holding a button or typing a word, after the end of the command was visible.
 */
export function ApprovalForm({ request, title, about }: Props) {
  const { form, ready, offers, update, finish } = useAnswerForm(request)
  const { busy, problem, decide, decideNow } = useSettle(form, finish)
  const askBack = useAskBack(request)
  const { note, text } = form.entry(0)
  const { options } = form.field(0).question
  const [isEditorOpen, setEditorOpen] = useState(false)
  const [showsRules, setShowsRules] = useState(false)
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
    <RequestFrame
      request={request}
      messages={askBack.messages}
      note={
        <>
          <Note
            label={t('Note for the agent')}
            value={note}
            onChange={value => update(form => form.change(0, { note: value }))}
          />
          {danger === 1 && (
            <label className="check">
              <input type="checkbox" checked={typing} onChange={event => setTyping(event.target.checked)} />
              <span>{t('Approve by typing instead of holding')}</span>
            </label>
          )}
        </>
      }
      bar={
        <DecisionBar
          request={request}
          askBack={askBack}
          problem={problem}
          busy={busy}
          onDecline={decline}
          panel={
            showsRules &&
            !isChanged && (
              <RuleChoice
                action={request.action}
                options={options}
                busy={busy || !ready}
                onChoose={scope => approve(ruleOptionIndex(options, scope))}
                onCancel={() => setShowsRules(false)}
              />
            )
          }
        >
          {mustRead ? (
            <Verb look="bad" onPress={() => end.current?.scrollIntoView({ block: 'end' })}>
              {t('Read to the end first ↓')}
            </Verb>
          ) : (
            <ApproveButton
              key={`${danger}`}
              danger={danger}
              typing={typing}
              busy={busy}
              disabled={!ready || !mayRun()}
              label={approveLabel()}
              onApprove={() => approve(0)}
            />
          )}
          <Verb shortcut="d" busy={busy} disabled={!ready} onPress={() => decide(decisionFor(1), t('Declined'))}>
            {t('Deny')}
          </Verb>
          {!isEditing && (
            <Verb shortcut="e" disabled={!ready} onPress={() => edit(original)}>
              {t('Edit')}
            </Verb>
          )}
          {!isChanged && hasRules(options) && (
            <Verb disabled={!ready} expanded={showsRules} onPress={() => setShowsRules(true)}>
              {t('Always…')}
            </Verb>
          )}
        </DecisionBar>
      }
    >
      <RequestHeader request={request} title={title} />
      <Action id={request.id} action={request.action} onUse={edit} end={end} />
      {about}
      {ready && <DraftOffers {...offers} />}
      {isEditing && (
        <EditCommand
          value={text}
          check={check}
          broken={isChanged && edited === null}
          onChange={edit}
          onRestore={restore}
        />
      )}
    </RequestFrame>
  )

  /** Where the command would run is part of the question. */
  function approveLabel(): string {
    if (isChanged) return t('Approve my version')
    const host = request.place?.host
    return host && request.action.command !== undefined
      ? t('Run on {host}', { host: titleText(host, 32) })
      : t('Approve')
  }

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

  function approve(option: number) {
    const decision = decisionFor(option)
    const isEdited = edited !== null && option === 0 && decision.verb === 'answer'
    const sent = isEdited ? { ...decision, input: { ...decision.input, edited } } : decision
    if (danger > 0) decideNow(sent)
    else decide(sent, t('Approved'))
  }

  function decline(reason: string) {
    decide({ verb: 'decline', reason }, t('Declined'))
  }

  /** The choice is not part of the form: an undone yes must be given anew. */
  function decisionFor(option: number): Decision {
    form.choose(0, option)
    const decision = form.decision()
    form.clear(0)
    return decision
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
