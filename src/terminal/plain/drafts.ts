import type { AnswerForm } from '../../form/answer-form.ts'
import { DraftOffers, type Offer, offerText } from '../../form/draft-offers.ts'
import type { HubApi } from '../../protocol/hub.ts'
import { ageOf } from '../../text/age.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import { loadDrafts, offerTitle } from '../drafts.ts'

export interface PlainDrafts {
  /** Who began what, and how to use it. */
  introduction(now: number): string[]
  /** Fills in the draft that was offered; false if there is none. */
  use(): boolean
  /** Whether the answer to this question is one from the draft. */
  isFilledIn(i: number): boolean
  discard(): boolean
}

/** The drafts of a request in plain lines: the person's own is offered as well, because a prompt shows no form to fill in. */
export async function plainDrafts(hub: HubApi, form: AnswerForm): Promise<PlainDrafts> {
  const { own, others } = await loadDrafts(hub, form)
  const offers = new DraftOffers(own ? [own, ...others] : others)
  const isOwn = ({ draft }: Offer) => draft === own
  let drafted: string[] = []
  return { introduction, use, isFilledIn, discard }

  function introduction(now: number): string[] {
    const offered = offers.offered(form)
    if (offered.length === 0) return []
    return [...offered.map(offer => title(offer, now)), 'Type /use to fill in the first one, or /discard.']
  }

  function title(offer: Offer, now: number): string {
    if (!isOwn(offer)) return offerTitle(offer, now)
    return `You began this ${ageOf(offer.draft.at, now)} ago: ${harmlessTitle(offerText(offer))}`
  }

  function use(): boolean {
    const [offer] = offers.offered(form)
    if (!offer) return false
    offers.use(form, offer)
    drafted = [...form.fields.keys()].map(i => JSON.stringify(form.entry(i)))
    return true
  }

  function isFilledIn(i: number): boolean {
    return !form.isBlank(i) && form.problem(i) === null && JSON.stringify(form.entry(i)) === drafted[i]
  }

  function discard(): boolean {
    const [offer] = offers.offered(form)
    if (!offer) return false
    offers.discard(offer)
    const { id } = form.request
    // One's own is deleted; somebody else keeps theirs.
    const done = isOwn(offer) ? hub.drafts.save(id, { answers: [] }) : hub.drafts.discard(id, offer.draft.by)
    done.catch(() => {})
    return true
  }
}
