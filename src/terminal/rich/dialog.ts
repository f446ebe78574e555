import type { AnswerForm, Decision } from '../../form/answer-form.ts'
import { DraftOffers, type Offer } from '../../form/draft-offers.ts'
import type { Edited } from '../../protocol/answer.ts'
import type { EarlierAnswer } from '../../protocol/earlier.ts'
import { editableText } from '../../rules/action-text.ts'
import { harmlessTitle } from '../../text/harmless.ts'
import type { Completion } from '../complete-path.ts'
import { type Editor, editorOf, replaceText } from '../editor.ts'
import type { Key } from '../keys.ts'
import { answerAgain } from '../last-answer.ts'
import type { JudgedEdit } from '../verdict-lines.ts'
import { OptionList } from './option-list.ts'

/**
 * Where the keyboard focus is:
 *   list          moving over the options of a question
 *   text          writing a custom answer, or the text that an option requires
 *   note          writing a note to the answer
 *   confirmation  typing the word that approves something dangerous
 *   review        checking all answers of a batch before sending them
 *   edit          changing the command of an approval
 *   verdict       reading what the guard says about that version, and approving it
 *   decline       writing the reason for declining
 *   message       asking back: writing to the agent, with the request still open
 *   skip          confirming that the request should be skipped
 *   folded        the prompt is folded to one line; everything entered stays
 */
export type Focus =
  | 'list'
  | 'text'
  | 'note'
  | 'confirmation'
  | 'review'
  | 'edit'
  | 'verdict'
  | 'decline'
  | 'message'
  | 'skip'
  | 'folded'

/**
 * What a key leads to: a decision, a version for the guard to judge, a message, discarding a draft, folding the prompt,
 * leaving with the request still open, completing a path, or writing in the person's own editor.
 */
export type Effect =
  | { readonly decide: Decision }
  | { readonly judge: Edited }
  | { readonly message: string }
  | { readonly discard: Offer }
  | 'complete'
  | 'fold'
  | 'leave'
  | 'edit-outside'

const mostCandidates = 40

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
  judged: JudgedEdit | null = null
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

  /** The path of a file is being written, which Tab completes. */
  get isWritingPath(): boolean {
    const { request } = this.form
    return this.focus === 'text' && request.kind === 'dependency' && request.type === 'file'
  }

  /** Writes a path as far as it is certain, and shows what it may become. */
  completeTo({ text, candidates }: Completion): void {
    if (text !== this.editor.text) this.editor = replaceText(this.editor, text)
    else if (candidates.length > 0) this.message = candidates.slice(0, mostCandidates).map(harmlessTitle).join('  ')
    else this.message = 'Nothing here begins like that.'
    this.saveText()
  }

  openEditor(focus: 'text' | 'note' | 'confirmation' | 'edit' | 'verdict' | 'decline' | 'message'): null {
    this.saveText()
    this.#rememberFocus()
    const { text, note } = this.form.entry(this.step)
    const written = { text, note, edit: text || this.#original() }
    this.editor = editorOf(focus in written ? written[focus as keyof typeof written] : '')
    this.focus = focus
    return null
  }

  /** Shows what the guard says about a person's version. What it refuses stays in the editor. */
  judge(judged: JudgedEdit): void {
    const { verdict, reasons } = judged.verdict
    if (verdict === 'deny') {
      this.refuse(`The guard refuses this: ${reasons.map(({ message }) => harmlessTitle(message)).join(' ')}`)
      return
    }
    this.judged = judged
    this.openEditor('verdict')
  }

  #original(): string {
    const { request } = this.form
    return request.kind === 'approval' ? editableText(request.action) : ''
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
    // As on the page: a version that is not sent yet is a text that is not part of the answer.
    if (this.focus === 'edit') {
      const { text } = this.editor
      this.form.change(this.step, { text: text === this.#original() ? '' : text })
    }
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
