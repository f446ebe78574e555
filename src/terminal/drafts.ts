import type { AnswerForm } from '../form/answer-form.ts'
import { DraftOffers, type Offer, offerText } from '../form/draft-offers.ts'
import type { HubApi } from '../protocol/hub.ts'
import { ageOf } from '../text/age.ts'
import { harmlessTitle } from '../text/harmless.ts'
import { cut } from '../text/width.ts'

const saveAfter = 400
const longest = { name: 40, text: 200 }

/**
 * Loads the person's own draft into a form and saves changes, so that they survive a crash and appear in other terminals.
 * What other people began is offered, and not filled in.
 */
export async function saveDrafts(hub: HubApi, form: AnswerForm) {
  const { id } = form.request
  const { own, others } = await loadDrafts(hub, form)
  if (own) form.restore(own.answers)
  let saved = JSON.stringify(form.answers())
  let timer: NodeJS.Timeout | null = null
  return { changed, flush, discard, offers: new DraftOffers(others) }

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

  function discard({ draft }: Offer) {
    hub.drafts.discard(id, draft.by).catch(() => {})
  }
}

/** A dependency has no drafts: its value may be a secret. */
export async function loadDrafts(hub: HubApi, { request }: AnswerForm) {
  const none = { own: null, others: [] }
  return request.kind === 'dependency' ? none : hub.drafts.all(request.id).catch(() => none)
}

/** Who began what, and when. */
export function offerTitle(offer: Offer, now: number): string {
  const text = cut(harmlessTitle(offerText(offer)), longest.text)
  return `${authorOf(offer)} began this ${ageOf(offer.draft.at, now)} ago: ${text}`
}

export function authorOf({ draft }: Offer): string {
  return cut(harmlessTitle(draft.by), longest.name)
}
