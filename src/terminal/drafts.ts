import type { AnswerForm } from '../form/answer-form.ts'
import type { HubApi } from '../protocol/hub.ts'

const saveAfter = 400

/** Loads the draft of a form and saves changes, so that they survive a crash and appear in other terminals. */
export async function saveDrafts(hub: HubApi, form: AnswerForm) {
  const { id, kind } = form.request
  // A dependency's value may be a secret.
  if (kind === 'dependency') return { changed() {}, async flush() {} }
  const draft = await hub.drafts.get(id).catch(() => null)
  if (draft) form.restore(draft.answers)
  let saved = JSON.stringify(form.answers())
  let timer: NodeJS.Timeout | null = null
  return { changed, flush }

  function changed() {
    timer ??= setTimeout(flush, saveAfter)
  }

  /** Failing to save a draft must not prevent the answer. */
  async function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    const answers = form.answers()
    const now = JSON.stringify(answers)
    if (now === saved) return
    saved = now
    await hub.drafts.save(id, { answers }).catch(() => {})
  }
}
