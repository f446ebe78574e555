import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { ApprovalRequest } from '../../../src/protocol/request.ts'
import { GrowingText } from '../parts/growing-text.tsx'
import { dangerOf } from '../waiting.ts'
import { t, told } from '../words/words.ts'
import { HoldButton } from './hold-button.tsx'
import { useSettling } from './use-settling.ts'
import { useSheet } from './use-sheet.ts'

const word = 'yes'

/**
 * Yes or no to an exact action. What is dangerous takes a gesture that nobody makes by accident, holding a button or
 * typing a word, and that only after the end of the command was on the screen.
 */
export function ApprovalForm({ request, children }: { request: ApprovalRequest; children: ReactNode }) {
  const { sheet, fill, done } = useSheet(request)
  const { busy, problem, send } = useSettling(request.id, done)
  const danger = dangerOf(request)
  const [typing, setTyping] = useState(danger === 2)
  const [typed, setTyped] = useState('')
  const end = useRef<HTMLDivElement>(null)
  const seen = useWasSeen(end, danger > 0)
  const note = sheet.entry(0).note

  return (
    <form className="answer" onSubmit={submit} noValidate autoComplete="off">
      <div className="request-body">
        {children}
        <div ref={end} className="end-of-command" />
        <GrowingText
          labelled
          label={t('Note to the agent')}
          value={note}
          rows={2}
          onChange={value => fill(sheet => sheet.change(0, { note: value }))}
        />
        {danger === 1 && (
          <label className="check">
            <input type="checkbox" checked={typing} onChange={event => setTyping(event.target.checked)} />
            <span>{t('Approve by typing instead of holding')}</span>
          </label>
        )}
        {problem && (
          <p className="problem" role="alert">
            {told(problem)}
          </p>
        )}
      </div>
      <footer className="bar approval-bar">
        <button type="button" className="no" disabled={busy} onClick={() => decide(1)}>
          {t('No')}
        </button>
        {danger === 0 ? (
          <button type="submit" className="primary" disabled={busy}>
            {t('Yes, run it')}
          </button>
        ) : !seen ? (
          <button type="button" className="bad" onClick={() => end.current?.scrollIntoView({ block: 'end' })}>
            {t('Read all of it first ↓')}
          </button>
        ) : typing ? (
          <span className="type-yes">
            <label>
              <span>{t('Type {word} to approve it', { word })}</span>
              <input
                value={typed}
                onChange={event => setTyped(event.target.value)}
                onPaste={event => event.preventDefault()}
                autoCapitalize="off"
                autoComplete="off"
                spellCheck={false}
                size={5}
              />
            </label>
            <button type="submit" className="bad" disabled={busy || !isTyped()}>
              {t('Run it')}
            </button>
          </span>
        ) : (
          <HoldButton disabled={busy} onHeld={() => decide(0)}>
            {t('Hold to run it')}
          </HoldButton>
        )}
      </footer>
    </form>
  )

  function isTyped(): boolean {
    return typed.trim().toLowerCase() === word
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (danger === 0 || (seen && typing && isTyped())) decide(0)
  }

  function decide(option: 0 | 1) {
    fill(sheet => sheet.choose(0, option))
    void send(sheet.decision())
  }
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
