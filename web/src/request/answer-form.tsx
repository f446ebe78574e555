import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Keep } from '../../../src/protocol/kept.ts'
import type { ApprovalRequest, Request } from '../../../src/protocol/request.ts'
import { SaidTitle } from '../text/untrusted-text.tsx'
import { t, told } from '../words/words.ts'
import { Decline } from './decline.tsx'
import { FieldOf } from './field.tsx'
import { FileChoice } from './file-choice.tsx'
import { Keeping } from './keeping.tsx'
import { ReviewAnswers } from './review-answers.tsx'
import { useAnswerForm } from './use-answer-form.ts'
import { useSettling } from './use-settling.ts'

interface Props {
  request: Exclude<Request, ApprovalRequest>
  children: ReactNode
}

/** The form: one question after another, all of them at the end, and what sends it always in sight. */
export function AnswerForm({ request, children }: Props) {
  const { form, ready, wasBegun, saved, fill, done } = useAnswerForm(request)
  const { busy, problem, setProblem, send, progress, sendFile } = useSettling(request.id, done)
  const [step, setStep] = useState(0)
  const [declining, setDeclining] = useState(false)
  const [keep, setKeep] = useState<Keep | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [toReview, setToReview] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const count = form.fields.length
  const isBatch = count > 1
  const isReview = isBatch && step === count
  const isLast = isReview || !isBatch
  const moved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: at each step
  useEffect(() => {
    if (!moved.current || formElement.current?.querySelector('.field textarea:focus')) return
    formElement.current?.querySelector<HTMLElement>('[data-step-title]')?.focus()
  }, [step])
  // What was begun elsewhere, or before, goes on where it stopped.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when that is known
  useEffect(() => {
    if (!ready || !isBatch || !wasBegun) return
    const next = form.fields.findIndex((_, i) => form.isBlank(i))
    setStep(next < 0 ? count : next)
  }, [ready])

  return (
    <form ref={formElement} className="answer" onSubmit={submit} onKeyDown={goOnFromText} noValidate autoComplete="off">
      <div className="request-body">
        {step === 0 ? (
          children
        ) : (
          <details className="folded-context">
            <summary>{t('What this is about')}</summary>
            {children}
          </details>
        )}
        {isBatch && <Steps count={count} at={step} />}
        {ready && !isReview && file === null && (
          <FieldOf
            key={step}
            form={form}
            at={step}
            problem={problem}
            fill={change => {
              setProblem(null)
              fill(change)
            }}
          />
        )}
        {ready && isReview && <ReviewAnswers form={form} onChange={change} />}
        {request.kind === 'dependency' && request.type === 'file' && (
          <FileChoice file={file} progress={progress} onChoose={choose} onTooLarge={setProblem} />
        )}
        {request.kind === 'dependency' && request.type !== 'permission' && file === null && (
          <Keeping keep={keep} onChange={setKeep} />
        )}
        {declining && <Decline busy={busy} onCancel={() => setDeclining(false)} onDecline={decline} />}
        {(isReview || file !== null) && problem && (
          <p className="problem" role="alert">
            <SaidTitle text={told(problem)} longest={1_000} />
          </p>
        )}
      </div>
      <footer className="bar">
        <div className="bar-start">
          {step > 0 && (
            <button type="button" onClick={() => goTo(step - 1)}>
              {t('Back')}
            </button>
          )}
          {!request.required && (
            <button type="button" className="quiet-button" disabled={busy} onClick={skip}>
              {t('Skip')}
            </button>
          )}
          {/* It stays where it is: what came into its place would get the second tap of a double tap. */}
          <button
            type="button"
            className="quiet-button"
            aria-expanded={declining}
            onClick={() => setDeclining(!declining)}
          >
            {t('Decline…')}
          </button>
        </div>
        <span className="saved" role="status">
          {saved === 'saved' ? t('Draft saved') : saved === 'failed' ? t('Draft not saved') : ''}
        </span>
        <button type="submit" className="primary" disabled={busy || !ready} aria-busy={busy || !ready}>
          {goOnName()}
        </button>
      </footer>
    </form>
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!ready) return
    if (file) return void sendFile(file, form.entry(0).note.trim() || null)
    if (!isReview) {
      const wrong = form.problem(step)
      if (wrong !== null) return setProblem(wrong)
    }
    if (!isLast) return goTo(toReview ? count : step + 1)
    const first = form.firstProblem()
    if (first) {
      goTo(first.field)
      return setProblem(first.problem)
    }
    const decision = form.decision()
    const withKeep = decision.verb === 'answer' && keep ? { ...decision, input: { ...decision.input, keep } } : decision
    void send(withKeep)
  }

  function goOnName(): string {
    if (isLast) return isReview ? t('Send answers') : t('Send')
    return toReview || step === count - 1 ? t('Review answers') : t('Next')
  }

  /** From the review and back to it: the others were answered already. */
  function change(field: number) {
    setToReview(true)
    goTo(field)
  }

  function choose(chosen: File | null) {
    if (chosen) setProblem(null)
    setFile(chosen)
  }

  function goOnFromText(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.repeat) return
    const isOnTitle = event.target instanceof HTMLElement && event.target.matches('[data-step-title]')
    if (!isOnTitle && !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    formElement.current?.requestSubmit()
  }

  function goTo(next: number) {
    moved.current = true
    setProblem(null)
    setStep(next)
  }

  function decline(reason: string) {
    void send({ verb: 'decline', reason })
  }

  function skip() {
    void send({ verb: 'skip', note: form.entry(0).note.trim() || null })
  }
}

function Steps({ count, at }: { count: number; at: number }) {
  return (
    <div className="steps">
      <h2 className={at < count ? undefined : 'large'} data-step-title tabIndex={-1}>
        {at < count ? t('Question {at} of {count}', { at: at + 1, count }) : t('Your answers')}
      </h2>
      <progress value={at} max={count} aria-hidden="true" />
    </div>
  )
}
