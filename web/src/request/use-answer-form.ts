import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { AnswerForm, type FilledAnswer } from '../../../src/form/answer-form.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { Refusal } from '../api/call.ts'
import { getDrafts, saveDraft } from '../api/requests.ts'
import { ignoreTypingAhead, useLoadingVerbs } from '../browser/shortcuts.ts'
import { answersText, rememberLostAnswer } from '../outbox/lost-race.ts'
import { forgetUndone, undoneAnswers } from '../outbox/outbox.ts'
import { paths } from '../route.ts'
import { forgetUnsaved, rememberUnsaved, unsavedAnswers } from './unsaved-draft.ts'
import { type OfferState, useDraftOffers } from './use-draft-offers.ts'

const saveAfter = 400
const retryAfter = 2_000

export interface AnswerFormState {
  readonly form: AnswerForm
  /** False until the draft is loaded. */
  readonly ready: boolean
  /** The form was filled in from the person's own draft. */
  readonly hasDraft: boolean
  readonly offers: OfferState
  readonly saved: 'nothing' | 'saving' | 'saved' | 'failed'
  /** Changes the form and saves the draft. */
  update(change: (form: AnswerForm) => void): void
  /** The answer was sent: stop saving drafts. */
  finish(): void
}

/**
 * The form of a request. It starts with the person's own draft, saves changes to the hub for their other screens, and
 * offers what other people began.
 */
export function useAnswerForm(latest: Request): AnswerFormState {
  // The page may read the request again, but what it asks for never changes.
  const request = useRef(latest).current
  const hasDrafts = request.kind !== 'dependency'
  const form = useRef<AnswerForm>(null)
  form.current ??= createForm(request, keptAnswers(request.id))
  const [, setVersion] = useState(0)
  const [ready, setReady] = useState(!hasDrafts)
  const [hasDraft, setHasDraft] = useState(() => keptAnswers(request.id) !== null)
  const [saved, setSaved] = useState<AnswerFormState['saved']>('nothing')
  const lastSaved = useRef(serialize(createForm(request, null)))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saving = useRef(false)
  const isFinished = useRef(false)
  useLoadingVerbs(!ready)

  const save = useCallback(
    async (leaving = false) => {
      clearTimeout(timer.current)
      timer.current = undefined
      // One at a time, or an older draft could arrive last; the one that is on its way looks for what came after it.
      if (!hasDrafts || isFinished.current || !form.current || (saving.current && !leaving)) return
      const now = serialize(form.current)
      const before = lastSaved.current
      // A page that is left may take a call on its way with it, so what it carries is sent once more.
      if (now === before && !saving.current) return setSaved(state => (state === 'saving' ? 'saved' : state))
      lastSaved.current = now
      saving.current = true
      if (leaving) rememberUnsaved(request.id, JSON.parse(now))
      const failure = await saveDraft(request.id, { answers: JSON.parse(now) }, leaving).then(
        () => null,
        error => error,
      )
      saving.current = false
      if (!failure) forgetUnsaved(request.id)
      // A failed draft must not block the answer. Unless the hub refused it, try again.
      setSaved(failure ? 'failed' : form.current && serialize(form.current) === now ? 'saved' : 'saving')
      if (failure instanceof Refusal) return
      if (failure) lastSaved.current = before
      if (!leaving) timer.current ??= setTimeout(() => void save(), failure ? retryAfter : 0)
    },
    [request, hasDrafts],
  )

  const update = useCallback(
    (change: (form: AnswerForm) => void) => {
      if (form.current) change(form.current)
      setVersion(version => version + 1)
      setSaved('saving')
      timer.current ??= setTimeout(() => void save(), saveAfter)
    },
    [save],
  )

  const offers = useDraftOffers(form.current, update)
  const loadOffers = useRef(offers.load)

  const loadDrafts = useCallback(async () => {
    const drafts = await getDrafts(request.id).catch(() => undefined)
    if (drafts === undefined || isFinished.current) return
    loadOffers.current(drafts.others)
    if (form.current && serialize(form.current) === lastSaved.current) {
      const next = createForm(request, drafts.own?.answers ?? null)
      lastSaved.current = serialize(next)
      form.current = next
      setHasDraft(drafts.own !== null)
    }
    setVersion(version => version + 1)
  }, [request])

  useEffect(() => {
    if (!hasDrafts) return
    forgetUndone(request.id)
    void loadDrafts().finally(() => {
      setReady(true)
      void save()
    })
    const onFocusChange = () => {
      if (document.visibilityState === 'visible') void loadDrafts().finally(() => save())
      else void save(true)
    }
    document.addEventListener('visibilitychange', onFocusChange)
    window.addEventListener('focus', onFocusChange)
    return () => {
      document.removeEventListener('visibilitychange', onFocusChange)
      window.removeEventListener('focus', onFocusChange)
      void save(true)
    }
  }, [hasDrafts, request, loadDrafts, save])

  useLayoutEffect(
    () => () => {
      if (isFinished.current) return
      // Unless the person has gone elsewhere, where the next key is meant for what is there.
      if (location.pathname === paths.request(request.id)) ignoreTypingAhead()
      // If someone else settled the request, the outcome shows what the person wrote here.
      const answers = form.current?.answers() ?? []
      const isChanged = JSON.stringify(answers) !== serialize(createForm(request, null))
      if (isChanged) rememberLostAnswer(request.id, { text: answersText(answers), sent: false })
    },
    [request],
  )

  return {
    form: form.current,
    ready,
    hasDraft,
    offers: offers.state,
    saved,
    update,
    finish() {
      isFinished.current = true
      clearTimeout(timer.current)
      forgetUnsaved(request.id)
    },
  }
}

/** What this tab knows and the hub may not: an answer that was taken back, or a form that was left a moment ago. */
function keptAnswers(id: string): readonly FilledAnswer[] | null {
  return undoneAnswers(id) ?? unsavedAnswers(id)
}

/** The asker's default is not filled in: whoever takes it, chooses it. */
function createForm(request: Request, answers: readonly FilledAnswer[] | null): AnswerForm {
  const form = new AnswerForm(request)
  if (answers) form.restore(answers)
  return form
}

function serialize(form: AnswerForm): string {
  return JSON.stringify(form.answers())
}
