import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { GrowingText } from '../parts/growing-text.tsx'
import { SaidTitle } from '../text/untrusted-text.tsx'
import { dangerIn, dangerOf } from '../waiting.ts'
import { t, told } from '../words/words.ts'
import { Action } from './action.tsx'
import { Always, type HowOften, positionOf } from './always.tsx'
import { EditCommand } from './edit-command.tsx'
import { useAnswerForm } from './use-answer-form.ts'
import { useSettling } from './use-settling.ts'
import { type Judged, useVerdict } from './use-verdict.ts'
import { YesButton } from './yes-button.tsx'

/**
 * Yes or no to an exact action, or yes to another one that the person writes. What is dangerous takes a gesture that
 * nobody makes by accident, holding a button or typing a word, and that only after the end of the command was on the
 * screen.
 */
export function ApprovalForm({ request, children }: { request: ApprovalRequest; children: ReactNode }) {
  const { form, ready, fill, done } = useAnswerForm(request)
  const { busy, problem, send } = useSettling(request.id, done)
  const { note, text } = form.entry(0)
  const { options } = form.field(0).question
  const [opened, setOpened] = useState(false)
  const [often, setOften] = useState<HowOften>('once')
  const [typing, setTyping] = useState(false)
  // One's own version is kept in the draft as a text that is no part of the answer.
  const isEditing = opened || text !== ''
  const own = isEditing && text.trim() !== '' && text.trim() !== request.action.command.trim() ? text : null
  const judged = useVerdict(request.id, own)
  const danger = own === null ? dangerOf(request) : dangerJudged(judged, request)
  const end = useRef<HTMLDivElement>(null)
  const seen = useWasSeen(end, dangerOf(request) > 0)
  const mustRead = own === null && danger > 0 && !seen

  return (
    <form className="answer" onSubmit={event => event.preventDefault()} noValidate autoComplete="off">
      <div className="request-body">
        {children}
        <Action action={request.action} onUse={edit} end={end} />
        {isEditing ? (
          <EditCommand value={text} judged={judged} onChange={edit} onPutBack={putBack} />
        ) : (
          <button type="button" className="edit-button" onClick={() => edit(request.action.command)}>
            {t('Change the command…')}
          </button>
        )}
        {own === null && <Always action={request.action} options={options} chosen={often} onChoose={setOften} />}
        <GrowingText
          labelled
          label={t('Note to the agent')}
          value={note}
          rows={2}
          onChange={value => fill(form => form.change(0, { note: value }))}
        />
        {danger === 1 && (
          <label className="check">
            <input type="checkbox" checked={typing} onChange={event => setTyping(event.target.checked)} />
            <span>{t('Approve by typing instead of holding')}</span>
          </label>
        )}
        {problem && (
          <p className="problem" role="alert">
            <SaidTitle text={told(problem)} longest={1_000} />
          </p>
        )}
      </div>
      <footer className="bar approval-bar">
        <button type="button" className="no" disabled={busy || !ready} onClick={() => decide(1)}>
          {t('No')}
        </button>
        {mustRead ? (
          <button type="button" className="bad" onClick={() => end.current?.scrollIntoView({ block: 'end' })}>
            {t('Read all of it first ↓')}
          </button>
        ) : (
          <YesButton
            key={`${danger}`}
            danger={danger}
            typing={typing}
            busy={busy}
            disabled={!ready || !mayRun()}
            label={own !== null ? t('Yes, run mine') : often === 'once' ? t('Yes, run it') : t('Yes, always')}
            onYes={() => decide(own !== null || often === 'once' ? 0 : positionOf(options, often))}
          />
        )}
      </footer>
    </form>
  )

  /** An empty command is none; one's own must have been looked at, and not be refused. */
  function mayRun(): boolean {
    if (isEditing && text.trim() === '') return false
    if (own === null) return true
    return judged.state === 'failed' || (judged.state === 'judged' && judged.verdict.verdict !== 'deny')
  }

  function edit(command: string) {
    setOpened(true)
    fill(form => form.change(0, { text: command }))
  }

  function putBack() {
    setOpened(false)
    fill(form => form.change(0, { text: '' }))
  }

  function decide(option: number) {
    fill(form => form.choose(0, option))
    const decision = form.decision()
    const isOwn = own !== null && option === 0 && decision.verb === 'answer'
    void send(isOwn ? { ...decision, input: { ...decision.input, edited: own } } : decision)
  }
}

/** Where it cannot be judged it is taken for dangerous. It is judged again where it runs. */
function dangerJudged(judged: Judged, request: ApprovalRequest): 0 | 1 | 2 {
  if (judged.state === 'judged') return dangerIn(judged.verdict.severity)
  return judged.state === 'failed' ? (Math.max(1, dangerOf(request)) as 1 | 2) : 0
}

/** Whether it was on the screen at some time. Where it need not be, it counts as seen. */
function useWasSeen(place: React.RefObject<HTMLElement | null>, needed: boolean): boolean {
  const [seen, setSeen] = useState(!needed)
  useEffect(() => {
    const element = place.current
    if (seen || !element) return
    const observer = new IntersectionObserver(entries => {
      if (entries.some(entry => entry.isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [place, seen])
  return seen
}
