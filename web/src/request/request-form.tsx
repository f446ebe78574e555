import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Offer } from '../../../src/form/draft-offers.ts'
import type { Keep } from '../../../src/protocol/kept.ts'
import type { ApprovalRequest, Request } from '../../../src/protocol/request.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { t, translateMessage } from '../words/translate.ts'
import { Decline } from './decline.tsx'
import { DraftOffers } from './draft-offers.tsx'
import { FileUpload } from './file-upload.tsx'
import { KeepValue } from './keep-value.tsx'
import { QuestionField } from './question-field.tsx'
import { ReviewAnswers } from './review-answers.tsx'
import { useAnswerForm } from './use-answer-form.ts'
import { useSettle } from './use-settle.ts'

interface Props {
  request: Exclude<Request, ApprovalRequest>
  children: ReactNode
}

/** One question at a time, then all answers for review. The bar with the send button is always visible. */
export function RequestForm({ request, children }: Props) {
  const { form: answers, ready, hasDraft, offers, saved, update, finish } = useAnswerForm(request)
  const { busy, problem, setProblem, send, progress, sendFile } = useSettle(request.id, finish)
  const [step, setStep] = useState(0)
  const [declining, setDeclining] = useState(false)
  const [keep, setKeep] = useState<Keep | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [toReview, setToReview] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const count = answers.fields.length
  const isBatch = count > 1
  const isReview = isBatch && step === count
  const isLast = isReview || !isBatch
  const moved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each step
  useEffect(() => {
    if (!moved.current || element.current?.querySelector('.field textarea:focus')) return
    element.current?.querySelector<HTMLElement>('[data-step-title]')?.focus()
  }, [step])
  // A draft continues at its first unanswered question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the draft is loaded
  useEffect(() => {
    if (ready && isBatch && hasDraft) goToFirstOpen()
  }, [ready])

  return (
    <form ref={element} className="answer" onSubmit={submit} onKeyDown={submitFromText} noValidate autoComplete="off">
      <div className="request-body">
        {step === 0 ? (
          children
        ) : (
          <details className="collapsed-context">
            <summary>{t('About this request')}</summary>
            {children}
          </details>
        )}
        {ready && <DraftOffers {...offers} use={takeOffer} />}
        {isBatch && <Steps count={count} at={step} />}
        {ready && !isReview && file === null && (
          <QuestionField
            key={step}
            form={answers}
            at={step}
            problem={problem}
            update={change => {
              setProblem(null)
              update(change)
            }}
          />
        )}
        {ready && isReview && <ReviewAnswers form={answers} onEdit={editAnswer} />}
        {request.kind === 'dependency' && request.type === 'file' && (
          <FileUpload file={file} progress={progress} onChoose={choose} onError={setProblem} />
        )}
        {request.kind === 'dependency' && request.type !== 'permission' && file === null && (
          <KeepValue keep={keep} onChange={setKeep} />
        )}
        {declining && (
          <Decline
            busy={busy}
            needsReason={request.kind === 'dependency'}
            onCancel={() => setDeclining(false)}
            onDecline={decline}
          />
        )}
        {(isReview || file !== null) && <ErrorMessage text={problem} />}
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
          {/* It never moves: a button in its place would get the second tap of a double tap. */}
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
          {submitLabel()}
        </button>
      </footer>
    </form>
  )

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!ready) return
    if (file) return void sendFile(file, answers.entry(0).note.trim() || null)
    if (!isReview) {
      const wrong = answers.problem(step)
      if (wrong !== null) return showProblem(wrong)
    }
    if (!isLast) return goTo(toReview ? count : step + 1)
    const first = answers.firstProblem()
    if (first) {
      goTo(first.field)
      return showProblem(first.problem)
    }
    const decision = answers.decision()
    // Skipping has a button of its own: sending an empty form is more likely a slip.
    if (decision.verb === 'skip') return showProblem('Nothing is filled in. To pass over this request, press Skip.')
    const withKeep = decision.verb === 'answer' && keep ? { ...decision, input: { ...decision.input, keep } } : decision
    void send(withKeep)
  }

  function takeOffer(offer: Offer) {
    offers.use(offer)
    if (isBatch) goToFirstOpen()
  }

  /** The first unanswered question, or the review of all answers. */
  function goToFirstOpen() {
    const next = answers.fields.findIndex((_, i) => answers.isBlank(i))
    setStep(next < 0 ? count : next)
  }

  function showProblem(message: string) {
    setProblem(translateMessage(message) ?? message)
  }

  function submitLabel(): string {
    if (isLast) return isReview ? t('Send answers') : t('Send')
    return toReview || step === count - 1 ? t('Review answers') : t('Next')
  }

  /** Opens one question from the review; the next step leads back there. */
  function editAnswer(field: number) {
    setToReview(true)
    goTo(field)
  }

  function choose(chosen: File | null) {
    if (chosen) setProblem(null)
    setFile(chosen)
  }

  function submitFromText(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.repeat) return
    const isOnTitle = event.target instanceof HTMLElement && event.target.matches('[data-step-title]')
    if (!isOnTitle && !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    element.current?.requestSubmit()
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
    void send({ verb: 'skip', note: answers.entry(0).note.trim() || null })
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
