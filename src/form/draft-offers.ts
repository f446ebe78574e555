import type { Draft } from '../protocol/draft.ts'
import { AnswerForm, type FilledAnswer } from './answer-form.ts'

/** A draft that somebody else began, as this form can show it. */
export interface Offer {
  readonly draft: Draft
  readonly answers: readonly FilledAnswer[]
}

/**
 * The drafts of other people beside a form. They are offered and never filled in by themselves: a person uses one, which
 * can be undone until they change something, or discards it.
 */
export class DraftOffers {
  #others: readonly Draft[]
  readonly #done = new Set<string>()
  #used: (Offer & { readonly before: readonly FilledAnswer[] }) | null = null

  constructor(others: readonly Draft[] = []) {
    this.#others = others
  }

  /** What the hub has now. */
  update(others: readonly Draft[]): void {
    this.#others = others
  }

  /** Newest first, without those that would change nothing. */
  offered(form: AnswerForm): Offer[] {
    if (this.#others.length === 0) return []
    const filled = JSON.stringify(form.answers())
    return this.#others
      .filter(draft => !this.#done.has(nameOf(draft)))
      .map(draft => ({ draft, answers: fitTo(form, draft) }))
      .filter(({ answers }) => answers.length > 0 && JSON.stringify(answers) !== filled)
  }

  /** The offer that the form was filled in from, as long as nothing was changed since. */
  used(form: AnswerForm): Offer | null {
    return this.#used && JSON.stringify(form.answers()) === JSON.stringify(this.#used.answers) ? this.#used : null
  }

  use(form: AnswerForm, offer: Offer): void {
    this.#used = { ...offer, before: form.answers() }
    this.#done.add(nameOf(offer.draft))
    form.replace(offer.answers)
  }

  undo(form: AnswerForm): void {
    if (!this.#used) return
    form.replace(this.#used.before)
    this.#done.delete(nameOf(this.#used.draft))
    this.#used = null
  }

  discard({ draft }: Offer): void {
    this.#done.add(nameOf(draft))
  }
}

/** What a draft says, on one line. Other people wrote it: make it harmless before you show it. */
export function offerText({ answers }: Offer): string {
  return answers
    .flatMap(({ selected = [], text, note }) => [...selected, text ?? '', note ?? ''])
    .filter(Boolean)
    .join(' · ')
}

/** A draft that its author changes is another one. */
function nameOf({ by, at }: Draft): string {
  return JSON.stringify([by, at])
}

function fitTo({ request }: AnswerForm, { answers }: Draft): FilledAnswer[] {
  const form = new AnswerForm(request)
  form.restore(answers)
  return form.answers()
}
