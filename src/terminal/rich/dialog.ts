import type { AnswerForm, Decision } from '../../form/answer-form.ts'
import { DraftOffers, type Offer } from '../../form/draft-offers.ts'
import type { EarlierAnswer } from '../../protocol/earlier.ts'
import { type Editor, editorOf } from '../editor.ts'
import type { Key } from '../keys.ts'
import { answerAgain } from '../last-answer.ts'
import { OptionList } from './option-list.ts'

/**
 * Where the keyboard focus is:
 *   list          moving over the options of a question
 *   text          writing a custom answer, or the text that an option requires
 *   note          writing a note to the answer
 *   confirmation  typing the word that approves something dangerous
 *   review        checking all answers of a batch before sending them
 *   decline       writing the reason for declining
 *   message       asking back: writing to the agent, with the request still open
 *   skip          confirming that the request should be skipped
 *   folded        the prompt is folded to one line; everything entered stays
 */
export type Focus = 'list' | 'text' | 'note' | 'confirmation' | 'review' | 'decline' | 'message' | 'skip' | 'folded'

/** What a key leads to: a decision, a message, folding the prompt, leaving with the request still open, or discarding a draft. */
export type Effect =
  | { readonly decide: Decision }
  | { readonly message: string }
  | { readonly discard: Offer }
  | 'fold'
  | 'leave'

/** The state of a prompt, and the moves from one state to the next. Which key makes which move is in press-key.ts. */
export class Dialog {
  readonly form: AnswerForm
  /** The footer's hint for the Esc key. */
  readonly escapeHint: string
  /** What other people began. */
  readonly offers: DraftOffers
  /** What was answered when the same was asked before. */
  readonly last: EarlierAnswer | null
  step = 0
  focus: Focus = 'list'
  editor: Editor = editorOf('')
  list: OptionList
  /** The highlighted line of the review; the last one sends. */
  reviewLine = 0
  message: string | null = null
  /** How far the person has scrolled away from the focus, and the length of a page. */
  scrolled = 0
  page = 5
  /** How many lines at the top have not been on the screen yet. */
  unseen = 0
  #previous: Focus = 'list'
  #reviewed = false
  #seen: { from: number; to: number } | null = null

  constructor(
    form: AnswerForm,
    escapeHint = 'Esc fold',
    offers = new DraftOffers(),
    last: EarlierAnswer | null = null,
  ) {
    this.last = last
    this.form = form
    this.escapeHint = escapeHint
    this.offers = offers
    this.list = new OptionList(form, 0)
    for (const [i, { question }] of form.fields.entries()) {
      // Showing the defaults as chosen lets the person remove them.
      if (question.multiSelect && question.default !== null && form.isBlank(i)) form.useDefault(i)
    }
    this.goTo(0)
  }

  /** Shows why the hub did not accept the decision. */
  refuse(reason: string): void {
    if (this.focus === 'review' || this.focus === 'skip') this.goTo(this.step)
    this.message = reason
  }

  /** Records which lines are on the screen. Scrolling goes page by page, so the lines in between were visible too. */
  see(from: number, to: number): void {
    this.#seen =
      this.#seen && from <= this.#seen.to && to >= this.#seen.from
        ? { from: Math.min(from, this.#seen.from), to: Math.max(to, this.#seen.to) }
        : { from, to }
    this.unseen = this.#seen.from
  }

  fold(): void {
    if (this.focus === 'folded') return
    this.saveText()
    this.#previous = this.focus
    this.focus = 'folded'
  }

  unfold(): void {
    if (this.focus === 'folded') this.focus = this.#previous
  }

  say(message: string): null {
    this.message = message
    return null
  }

  openEditor(focus: 'text' | 'note' | 'confirmation' | 'decline' | 'message'): null {
    this.saveText()
    this.#rememberFocus()
    const { text, note } = this.form.entry(this.step)
    this.editor = editorOf(focus === 'text' ? text : focus === 'note' ? note : '')
    this.focus = focus
    return null
  }

  closeEditor(): null {
    this.saveText()
    this.focus = this.#previous
    // A note written from within a text leads back to the text.
    if (this.focus === 'text') this.editor = editorOf(this.form.entry(this.step).text)
    return null
  }

  /** Text in progress stays with its question, whether or not it becomes the answer. */
  saveText(): void {
    if (this.focus === 'text') this.form.change(this.step, { text: this.editor.text })
    if (this.focus === 'note') this.form.change(this.step, { note: this.editor.text })
  }

  /** Fills in what somebody else began; pressed again, what was there before. */
  toggleOffer(): null {
    this.saveText()
    const [offer] = this.offers.offered(this.form)
    if (this.offers.used(this.form)) this.offers.undo(this.form)
    else if (offer) this.offers.use(this.form, offer)
    else return null
    return this.goTo(this.step)
  }

  discardOffer(): Effect | null {
    const [offer] = this.offers.offered(this.form)
    if (!offer || this.offers.used(this.form)) return null
    this.offers.discard(offer)
    return { discard: offer }
  }

  /** Answers as last time. */
  answerAgain({ held, hasty }: Key): Effect | null {
    if (!this.last || held) return null
    if (hasty) return this.say('That arrived all at once. Press ^L again to confirm.')
    return { decide: answerAgain(this.last) }
  }

  askBack(): null {
    if (this.focus === 'message') return null
    if (this.form.request.canReply) return this.openEditor('message')
    return this.say('This agent cannot be asked back. To tell it something, press Ctrl-X and decline with that reason.')
  }

  askToSkip(): null {
    if (this.form.request.required) {
      return this.say('This request is required, so it cannot be skipped. Press Ctrl-X to decline it.')
    }
    this.saveText()
    this.#rememberFocus()
    this.focus = 'skip'
    return null
  }

  cancelSkip(): null {
    this.focus = this.#previous
    return null
  }

  back(): null {
    this.saveText()
    if (this.step > 0) this.goTo(this.step - 1)
    return null
  }

  /** Goes to the next question, or to the review, if this one is answered. A single question is sent. */
  advance(): Effect | null {
    const problem = this.form.problem(this.step)
    if (problem !== null) return this.say(problem)
    if (this.form.fields.length === 1) return this.send()
    if (this.#reviewed || this.step === this.form.fields.length - 1) this.#goToReview()
    else this.goTo(this.step + 1)
    return null
  }

  send(): Effect | null {
    const found = this.form.firstProblem()
    if (found) {
      this.goTo(found.field)
      return this.say(found.problem)
    }
    const decide = this.form.decision()
    // Leaving everything blank skips the request, so the person has to confirm it.
    return decide.verb === 'skip' ? this.askToSkip() : { decide }
  }

  goTo(step: number): null {
    this.step = step
    this.list = new OptionList(this.form, step)
    this.focus = this.form.field(step).question.options.length === 0 ? 'text' : 'list'
    this.editor = editorOf(this.form.entry(step).text)
    this.#previous = 'list'
    return null
  }

  #goToReview(): void {
    this.focus = 'review'
    this.#reviewed = true
    this.reviewLine = this.form.fields.length
  }

  #rememberFocus(): void {
    if (this.focus === 'list' || this.focus === 'text' || this.focus === 'review') this.#previous = this.focus
  }
}
