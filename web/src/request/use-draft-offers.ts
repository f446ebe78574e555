import { useRef } from 'react'
import type { AnswerForm } from '../../../src/form/answer-form.ts'
import { DraftOffers, type Offer } from '../../../src/form/draft-offers.ts'
import type { Draft } from '../../../src/protocol/draft.ts'
import { discardDraft } from '../api/requests.ts'

export interface OfferState {
  /** The drafts of other people, newest first. */
  readonly offered: readonly Offer[]
  /** The one that the form was filled in from. */
  readonly used: Offer | null
  use(offer: Offer): void
  undo(): void
  discard(offer: Offer): void
}

/** What other people began on a request, and what the person here does with it. */
export function useDraftOffers(form: AnswerForm, update: (change: (form: AnswerForm) => void) => void) {
  const offers = useRef(new DraftOffers()).current
  const state: OfferState = {
    offered: offers.offered(form),
    used: offers.used(form),
    use: offer => update(form => offers.use(form, offer)),
    undo: () => update(form => offers.undo(form)),
    discard(offer) {
      // Hidden here even if the hub cannot be reached; then it is offered again on the next visit.
      discardDraft(form.request.id, offer.draft.by).catch(() => {})
      update(() => offers.discard(offer))
    },
  }
  return { state, load: (others: readonly Draft[]) => offers.update(others) }
}
