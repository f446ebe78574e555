import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { AnswerForm } from '../../../src/form/answer-form.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { Refusal } from '../api/call.ts'
import { getDraft, saveDraft } from '../api/requests.ts'
import { ignoreTheRest } from '../keys.ts'
import { rememberLate, wordsIn } from './lost-race.ts'

const saveAfter = 400
const tryAgain = 2_000

export interface Filling {
  readonly form: AnswerForm
  /** False until it is known whether somebody began elsewhere. */
  readonly ready: boolean
  /** Something was filled in elsewhere, or before. */
  readonly wasBegun: boolean
  readonly saved: 'nothing' | 'saving' | 'saved' | 'failed'
  /** Changes the form and keeps it. */
  fill(change: (form: AnswerForm) => void): void
  /** Nothing is kept any more: it was sent. */
  done(): void
}

/** The form of a request, as kept in the hub: what was begun on one screen goes on here, and what is filled in here is kept. */
export function useAnswerForm(asked: Request): Filling {
  // It may be read again while it waits; what it asks for stays the same.
  const request = useRef(asked).current
  const keeps = request.kind !== 'dependency'
  const form = useRef<AnswerForm>(null)
  form.current ??= begun(request, null)
  const [, setVersion] = useState(0)
  const [ready, setReady] = useState(!keeps)
  const [wasBegun, setBegun] = useState(false)
  const [saved, setSaved] = useState<Filling['saved']>('nothing')
  const kept = useRef(keptForm(form.current))
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const saving = useRef(false)
  const isDone = useRef(false)

  const takeUp = useCallback(async () => {
    const draft = await getDraft(request.id).catch(() => undefined)
    const untouched = form.current && keptForm(form.current) === kept.current
    if (draft === undefined || !untouched || isDone.current) return
    const next = begun(request, draft?.answers ?? null)
    kept.current = keptForm(next)
    form.current = next
    setBegun(draft !== null)
    setVersion(version => version + 1)
  }, [request])

  const keep = useCallback(
    async (last = false) => {
      clearTimeout(timer.current)
      timer.current = undefined
      const now = form.current ? keptForm(form.current) : kept.current
      // One at a time, or an older one could come last.
      if (!keeps || isDone.current || now === kept.current || (saving.current && !last)) return
      const before = kept.current
      kept.current = now
      saving.current = true
      if (!last) setSaved('saving')
      const failure = await saveDraft(request.id, { answers: JSON.parse(now) }, last).then(
        () => null,
        error => error,
      )
      saving.current = false
      if (last) return
      // A draft that cannot be saved must not stand in the way of the answer. Where it was not refused, it is tried again.
      setSaved(failure ? 'failed' : 'saved')
      if (failure instanceof Refusal) return
      if (failure) kept.current = before
      timer.current ??= setTimeout(() => void keep(), failure ? tryAgain : 0)
    },
    [request, keeps],
  )

  useEffect(() => {
    if (!keeps) return
    void takeUp().finally(() => setReady(true))
    const back = () => {
      if (document.visibilityState === 'visible') void takeUp()
      else void keep(true)
    }
    document.addEventListener('visibilitychange', back)
    window.addEventListener('focus', back)
    return () => {
      document.removeEventListener('visibilitychange', back)
      window.removeEventListener('focus', back)
      void keep(true)
    }
  }, [keeps, takeUp, keep])

  useLayoutEffect(
    () => () => {
      if (isDone.current) return
      ignoreTheRest()
      // Should somebody else settle it, what was begun here is given back.
      const answers = form.current?.answers() ?? []
      const isTouched = JSON.stringify(answers) !== keptForm(begun(request, null))
      if (isTouched) rememberLate(request.id, { words: wordsIn(answers), sent: false })
    },
    [request],
  )

  return {
    form: form.current,
    ready,
    wasBegun,
    saved,
    fill(change) {
      if (form.current) change(form.current)
      setVersion(version => version + 1)
      timer.current ??= setTimeout(() => void keep(), saveAfter)
    },
    done() {
      isDone.current = true
      clearTimeout(timer.current)
    },
  }
}

function begun(request: Request, answers: Parameters<AnswerForm['restore']>[0] | null): AnswerForm {
  const form = new AnswerForm(request)
  if (answers) form.restore(answers)
  else fillInDefaults(form)
  return form
}

function fillInDefaults(form: AnswerForm): void {
  for (const [i, { question }] of form.fields.entries()) {
    // biome-ignore lint/correctness/useHookAtTopLevel: a verb of the form, no hook
    if (question.default !== null) form.useDefault(i)
  }
}

function keptForm(form: AnswerForm): string {
  return JSON.stringify(form.answers())
}
