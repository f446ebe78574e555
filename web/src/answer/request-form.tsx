import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import type { Decision } from '../../../src/form/answer-form.ts'
import type { Offer } from '../../../src/form/draft-offers.ts'
import type { Keep } from '../../../src/protocol/kept.ts'
import type { ApprovalRequest, Request } from '../../../src/protocol/request.ts'
import { DecisionBar } from '../bar/decision-bar.tsx'
import { useAskBack } from '../bar/use-ask-back.ts'
import { Verb } from '../bar/verb.tsx'
import { Earlier } from '../earlier/earlier.tsx'
import { useEarlier } from '../earlier/use-earlier.ts'
import { DraftOffers } from '../request/draft-offers.tsx'
import { Note } from '../request/note.tsx'
import { RequestFrame } from '../request/request-frame.tsx'
import { RequestHeader } from '../request/request-header.tsx'
import { useAnswerForm } from '../request/use-answer-form.ts'
import { useSettle } from '../request/use-settle.ts'
import { t, translateMessage } from '../words/translate.ts'
import { answerPlace } from './answer-place.ts'
import { AnswerVerbs } from './answer-verbs.tsx'
import { stepHeader } from './batch-step.tsx'
import { FileUpload } from './file-upload.tsx'
import { KeepValue } from './keep-value.tsx'
import { OtherPanel } from './other-panel.tsx'
import { QuestionField } from './question-field.tsx'
import { ReviewAnswers } from './review-answers.tsx'
import { decisionSays } from './says.ts'

interface Props {
  request: Exclude<Request, ApprovalRequest>
  title: React.RefObject<HTMLHeadingElement | null>
  /** What there is to know before answering. */
  about: ReactNode
  user: string
}

/** One question at a time, then all answers for review. What to do with it is in the bar. */
export function RequestForm({ request, title, about, user }: Props) {
  const { form: answers, ready, hasDraft, offers, saved, update, finish } = useAnswerForm(request)
  const { busy, problem, setProblem, decide, decideNow, progress, sendFile } = useSettle(answers, finish)
  const askBack = useAskBack(request)
  const earlier = useEarlier(request)
  const [step, setStep] = useState(0)
  const [keep, setKeep] = useState<Keep | null>(null)
  const [file, setFile] = useState<File | null>(null)
  const [toReview, setToReview] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const count = answers.fields.length
  const isBatch = count > 1
  const isReview = isBatch && step === count
  const isLast = isReview || !isBatch
  const place = isReview ? null : answerPlace(answers, step)
  const isOther = place === 'verbs' && answers.entry(step).own
  const moved = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at each step
  useEffect(() => {
    if (!moved.current || element.current?.querySelector('textarea:focus')) return
    element.current?.querySelector<HTMLElement>('[data-step-title]')?.focus()
  }, [step])
  // A draft continues at its first unanswered question.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the draft is loaded
  useEffect(() => {
    if (ready && isBatch && hasDraft) goToFirstOpen()
  }, [ready])

  return (
    <RequestFrame
      ref={element}
      request={request}
      messages={askBack.messages}
      onSubmit={submit}
      onKeyDown={submitFromText}
      note={
        ready &&
        place !== null && (
          <Note
            key={`note-${step}`}
            label={t('Note')}
            value={answers.entry(step).note}
            onChange={note => update(form => form.change(step, { note }))}
          />
        )
      }
      bar={
        <DecisionBar
          request={request}
          askBack={askBack}
          panelKey="0"
          panel={
            ready && isOther && <OtherPanel form={answers} at={step} problem={problem} update={edit} onSubmit={next} />
          }
          problem={place === 'form' && file === null ? null : problem}
          status={saved === 'saved' ? t('Draft saved') : saved === 'failed' ? t('Draft not saved') : ''}
          busy={busy}
          onDecline={decline}
          declineVerb={{ needsReason: request.kind === 'dependency' }}
          onSkip={request.required ? undefined : skip}
        >
          {step > 0 && <Verb onPress={() => goTo(step - 1)}>{t('Back')}</Verb>}
          <AnswerVerbs
            form={answers}
            at={step}
            place={place}
            busy={busy || !ready}
            sendLabel={submitLabel()}
            update={edit}
            onChoose={choose}
            onBlank={isBatch && !isReview && !request.required ? () => goTo(toReview ? count : step + 1) : undefined}
          />
        </DecisionBar>
      }
    >
      <RequestHeader request={request} title={title} step={isBatch ? stepHeader(answers, step) : undefined} />
      {step === 0 ? (
        about
      ) : (
        <details className="about-request">
          <summary>{t('About this request')}</summary>
          {about}
        </details>
      )}
      {ready && <DraftOffers {...offers} use={takeOffer} />}
      {ready && <Earlier known={earlier} chosen={chosenAnswers()} user={user} disabled={busy} decide={send} />}
      {ready && place !== null && file === null && (
        <QuestionField
          key={step}
          form={answers}
          at={step}
          problem={place === 'form' ? problem : null}
          update={edit}
          place={place}
        />
      )}
      {ready && isReview && <ReviewAnswers form={answers} onEdit={editAnswer} />}
      {request.kind === 'dependency' && request.type === 'file' && (
        <FileUpload file={file} progress={progress} onChoose={chooseFile} onError={setProblem} />
      )}
      {request.kind === 'dependency' && request.type !== 'permission' && file === null && (
        <KeepValue keep={keep} onChange={setKeep} />
      )}
    </RequestFrame>
  )

  function edit(change: Parameters<typeof update>[0]) {
    setProblem(null)
    update(change)
  }

  /** An option of the bar answers the question at once. */
  function choose(option: number) {
    edit(form => form.choose(step, option))
    next()
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    next()
  }

  function next() {
    if (!ready || busy) return
    if (file) return sendFile(file, answers.entry(0).note.trim() || null)
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
    // Skipping has a verb of its own: sending an empty form is more likely a slip.
    if (decision.verb === 'skip') return showProblem('Nothing is filled in. To pass over this request, press Skip.')
    send(decision.verb === 'answer' && keep ? { ...decision, input: { ...decision.input, keep } } : decision)
  }

  function send(decision: Decision) {
    if (request.kind === 'dependency' && decision.verb === 'answer' && request.type !== 'permission')
      decideNow(decision)
    else decide(decision, decisionSays(request, decision))
  }

  function chosenAnswers() {
    const decision = answers.firstProblem() === null ? answers.decision() : null
    return decision?.verb === 'answer' ? (decision.input.answers ?? null) : null
  }

  function takeOffer(offer: Offer) {
    offers.use(offer)
    if (isBatch) goToFirstOpen()
  }

  /** The first unanswered question, or the review of all answers. */
  function goToFirstOpen() {
    const open = answers.fields.findIndex((_, i) => answers.isBlank(i))
    setStep(open < 0 ? count : open)
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

  function chooseFile(chosen: File | null) {
    if (chosen) setProblem(null)
    setFile(chosen)
  }

  function submitFromText(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.repeat || event.nativeEvent.isComposing) return
    const isOnTitle = event.target instanceof HTMLElement && event.target.matches('[data-step-title]')
    if (!isOnTitle && !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    next()
  }

  function goTo(to: number) {
    moved.current = true
    setProblem(null)
    setStep(to)
  }

  function decline(reason: string) {
    send({ verb: 'decline', reason })
  }

  function skip() {
    send({ verb: 'skip', note: answers.entry(0).note.trim() || null })
  }
}
