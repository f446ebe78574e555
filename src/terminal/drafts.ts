import type { AnswerForm } from '../form/answer-form.ts'
import type { HubApi } from '../protocol/hub.ts'

const saveAfter = 400

/** Keeps what is half filled in, so that it is there again after a crash, in another terminal, or tomorrow. */
export async function keepDrafts(hub: HubApi, form: AnswerForm) {
  const { id, kind } = form.request
  // What is typed for a dependency may be a secret.
  if (kind === 'dependency') return { changed() {}, async flush() {} }
  const draft = await hub.drafts.get(id).catch(() => null)
  if (draft) form.restore(draft.answers)
  let saved = JSON.stringify(form.answers())
  let timer: NodeJS.Timeout | null = null
  return { changed, flush }

  function changed() {
    timer ??= setTimeout(flush, saveAfter)
  }

  /** A draft that cannot be saved must not stand in the way of the answer. */
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
