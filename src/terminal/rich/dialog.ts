import type { AnswerForm, Decision } from '../../form/answer-form.ts'
import { type Editor, edit, editorOf } from '../editor.ts'
import { isEnter, type Key } from '../keys.ts'
import { OptionList } from './option-list.ts'

// What happens on which key. Where a person is:
//   list     moving over the options of a question
//   text     writing an answer of their own, or what goes with an option
//   note     writing a word beside the answer
//   word     typing the word that a dangerous yes takes
//   review   looking over all answers of a batch before they are sent
//   decline  saying why the answer is no
//   skip     being asked once more whether to pass it over
//   away     the prompt is folded to a line; nothing is lost
// Nothing leads out of here as a decision but an Enter, pressed once and not pasted: at the end, after a reason to decline,
// or when asked whether to skip.

export type Place = 'list' | 'text' | 'note' | 'word' | 'review' | 'decline' | 'skip' | 'away'

/** What the keys amount to: a decision, folding the prompt away, or leaving with everything open. */
export type Effect = { readonly decide: Decision } | 'fold' | 'leave'

export class Dialog {
  readonly form: AnswerForm
  /** What Esc does, in words. */
  readonly onEscape: string
  step = 0
  place: Place
  editor: Editor = editorOf('')
  list: OptionList
  /** Which line of the review is lit; the last one sends. */
  line = 0
  message: string | null = null
  /** How far the person has scrolled away from where the dialog would look, and how far a page goes. */
  scrolled = 0
  page = 5
  /** Lines above that were on no screen yet. */
  unseen = 0
  #before: Place = 'list'
  #reviewed = false
  #seen: { from: number; to: number } | null = null

  constructor(form: AnswerForm, onEscape = 'Esc fold') {
    this.form = form
    this.onEscape = onEscape
    this.place = 'list'
    this.list = new OptionList(form, 0)
    for (const [i, { question }] of form.fields.entries()) {
      // Shown as chosen, so that leaving them out is a choice, too.
      if (question.multiSelect && question.default !== null && form.isBlank(i)) form.useDefault(i)
    }
    this.#enter(0)
  }

  press(key: Key): Effect | null {
    const effect = this.#press(key)
    this.#keepText()
    return effect
  }

  #press(key: Key): Effect | null {
    if (key.ctrl && key.name === 'c') return 'leave'
    if (key.ctrl && key.name === 'd' && !key.pasted) return 'leave'
    if (key.name === 'pageup' || key.name === 'pagedown') {
      this.scrolled += key.name === 'pageup' ? -this.page : this.page
      return null
    }
    this.scrolled = 0
    this.message = null
    switch (this.place) {
      case 'away':
        if (isEnter(key)) this.unfold()
        return null
      case 'list':
        return this.#pressInList(key)
      case 'review':
        return this.#pressInReview(key)
      case 'skip':
        return this.#pressInSkip(key)
      default:
        return this.#pressInEditor(key)
    }
  }

  /** The hub would not take it, and says why. */
  refuse(reason: string): void {
    if (this.place === 'review' || this.place === 'skip') this.#enter(this.step)
    this.message = reason
  }

  /** These lines are on the screen. Scrolling goes page by page, so that what lies between was seen, too. */
  see(from: number, to: number): void {
    this.#seen =
      this.#seen && from <= this.#seen.to && to >= this.#seen.from
        ? { from: Math.min(from, this.#seen.from), to: Math.max(to, this.#seen.to) }
        : { from, to }
    this.unseen = this.#seen.from
  }

  fold(): void {
    if (this.place === 'away') return
    this.#keepText()
    this.#before = this.place
    this.place = 'away'
  }

  unfold(): void {
    if (this.place === 'away') this.place = this.#before
  }

  #pressInList(key: Key): Effect | null {
    const { question } = this.form.field(this.step)
    // What comes out of the clipboard chooses nothing.
    if (key.pasted) return key.text === '' ? null : this.#typeInList(key)
    if (key.ctrl) return this.#pressControl(key)
    const by = steps[key.name]
    if (by !== undefined) return this.list.move(by)
    switch (key.name) {
      case 'left':
        return this.#back()
      case 'right':
        return this.#forth()
      case 'tab':
        return key.shift ? this.#back() : this.#write('note')
      case 'return':
        return isEnter(key) ? this.#take(key) : null
      case 'escape':
        return this.#escapeList()
      case 'backspace':
        return this.list.search([...this.list.filter].slice(0, -1).join(''))
      case 'space':
        if (question.multiSelect && this.#toggle()) return null
    }
    if (key.text === '') return null
    if (this.list.jump(key.text)) return null
    return this.#typeInList(key)
  }

  #pressControl({ name }: Key): Effect | null {
    if (name === 'p' || name === 'n') return this.list.move(name === 'p' ? -1 : 1)
    if (name === 'u') return this.list.search('')
    if (name === 'x') return this.#write('decline')
    if (name === 's') return this.#askToSkip()
    return null
  }

  /** Letters on a line of one's own go into it; elsewhere they narrow the list down. */
  #typeInList(key: Key): null {
    const { filter } = this.list
    if (this.list.row()?.kind === 'own' && filter === '') {
      this.#write('text')
      this.editor = edit(this.editor, key) ?? this.editor
    } else if (key.text.trim() !== '' || filter !== '') this.list.search(filter + key.text)
    return null
  }

  /** Space: an option in or out; words of one's own too, once there are some. */
  #toggle(): boolean {
    if (this.list.row()?.kind !== 'own') return this.list.toggle()
    const { own, text } = this.form.entry(this.step)
    if (own || text.trim() !== '') this.form.change(this.step, { own: !own })
    else this.#write('text')
    return true
  }

  /** Enter on a row. Where several may be chosen, Space chooses, and Enter goes on with what is chosen. */
  #take({ hasty }: Key): Effect | null {
    const { question, textRequiredBy, confirmation } = this.form.field(this.step)
    const row = this.list.row()
    if (hasty) {
      this.message = 'That came all at once. Press Enter to take it.'
      return null
    }
    if (!row && !(question.multiSelect && !this.form.isBlank(this.step))) {
      this.message =
        this.list.filter === '' ? 'Choose with ↑↓ or a number first.' : 'Nothing matches. Esc shows all again.'
      return null
    }
    if (row?.kind === 'own' && !(question.multiSelect && this.form.entry(this.step).own)) return this.#write('text')
    if (row?.kind === 'blank') {
      this.form.clear(this.step)
      return this.#advance()
    }
    if (question.multiSelect) {
      if (!this.form.isBlank(this.step)) return this.#advance()
      this.message = 'Nothing is chosen yet: Space chooses, Enter goes on.'
      return null
    }
    if (row?.kind !== 'option') return null
    this.form.choose(this.step, row.position)
    const label = question.options[row.position]?.label
    if (label === textRequiredBy) return this.#write('text')
    if (label === confirmation?.label) return this.#write('word')
    return this.#advance()
  }

  #escapeList(): Effect | null {
    return this.list.filter === '' ? 'fold' : this.list.search('')
  }

  #pressInEditor(key: Key): Effect | null {
    // What comes out of the clipboard is text, whatever keys it would be.
    if (key.pasted) return this.#edit(key)
    const isFree = this.place === 'text' && this.form.field(this.step).question.options.length === 0
    if (key.ctrl && key.name === 'x' && this.place !== 'decline') return this.#write('decline')
    if (key.ctrl && key.name === 's') return this.#askToSkip()
    if (key.name === 'tab' && this.place === 'text') return key.shift ? this.#back() : this.#write('note')
    if (key.name === 'escape') return isFree ? 'fold' : this.#leaveEditor()
    if (isEnter(key)) return this.#finishEditor()
    if (key.name === 'up' && !isFree && edit(this.editor, key) === null) return this.#leaveEditor()
    return key.held && key.name === 'return' ? null : this.#edit(key)
  }

  #edit(key: Key): null {
    this.editor = edit(this.editor, this.#singleLine() ? flat(key) : key) ?? this.editor
    return null
  }

  /** A secret and a word are one line; a line break in a paste must not become part of them. */
  #singleLine(): boolean {
    return this.place === 'word' || (this.place === 'text' && this.form.field(this.step).secret)
  }

  #leaveEditor(): null {
    this.#keepText()
    this.place = this.#before
    // A note that was written from within a text leads back into the text.
    if (this.place === 'text') this.editor = editorOf(this.form.entry(this.step).text)
    return null
  }

  #finishEditor(): Effect | null {
    const { text } = this.editor
    switch (this.place) {
      case 'note':
        return this.#leaveEditor()
      case 'decline':
        if (text.trim() !== '') return { decide: { verb: 'decline', reason: text.trim() } }
        this.message = 'Say why, in a word or two. Esc goes back.'
        return null
      case 'word':
        return this.#checkWord(text)
      default:
        return this.#finishText(text)
    }
  }

  #checkWord(text: string): Effect | null {
    if (this.unseen > 0) {
      this.message = `There is more of it above: PgUp, ${this.unseen} lines. Nothing was approved.`
      return null
    }
    const wanted = this.form.field(this.step).confirmation?.word ?? ''
    if (text.trim().toLowerCase() === wanted) return this.#advance()
    this.message = `Type ${wanted} and press Enter, or Esc to go back. Nothing was approved.`
    return null
  }

  #finishText(text: string): Effect | null {
    const { question, textRequiredBy } = this.form.field(this.step)
    if (text.trim() === '') {
      if (question.options.length === 0 && question.default !== null) this.form.useDefault(this.step)
      else if (question.options.length > 0 && textRequiredBy === null) return this.#leaveEditor()
    } else if (textRequiredBy === null && question.options.length > 0) this.form.write(this.step, text)
    else this.form.change(this.step, { text })
    return this.#advance()
  }

  #pressInReview(key: Key): Effect | null {
    if (key.pasted) return null
    if (key.ctrl) return this.#pressControl(key)
    const by = steps[key.name]
    if (by !== undefined) return this.#moveInReview(by)
    if (key.name === 'left' || (key.name === 'tab' && key.shift)) return this.#open(this.form.fields.length - 1)
    if (key.name === 'escape') return 'fold'
    if (/^[1-9]$/.test(key.text) && Number(key.text) <= this.form.fields.length) return this.#open(Number(key.text) - 1)
    if (!isEnter(key)) return null
    return this.line < this.form.fields.length ? this.#open(this.line) : this.#send()
  }

  #moveInReview(by: number): null {
    this.line = Math.min(Math.max(this.line + by, 0), this.form.fields.length)
    return null
  }

  #pressInSkip(key: Key): Effect | null {
    if (key.pasted) return null
    if (isEnter(key)) return { decide: { verb: 'skip', note: this.#note() } }
    // Held down it is the key that asked, not an answer.
    if (key.ctrl && key.name === 's') return null
    this.place = this.#before
    return null
  }

  #note(): string | null {
    return this.form.entry(0).note.trim() || null
  }

  #askToSkip(): null {
    if (this.form.request.required) this.message = 'This one is required and cannot be skipped. Ctrl-X declines it.'
    else {
      this.#keepText()
      if (this.place === 'list' || this.place === 'text' || this.place === 'review') this.#before = this.place
      this.place = 'skip'
    }
    return null
  }

  #write(place: 'text' | 'note' | 'word' | 'decline'): null {
    this.#keepText()
    if (this.place === 'list' || this.place === 'review' || this.place === 'text') this.#before = this.place
    const { text, note } = this.form.entry(this.step)
    this.editor = editorOf(place === 'text' ? text : place === 'note' ? note : '')
    this.place = place
    return null
  }

  /** What is half written stays with its question, whether or not it becomes the answer. */
  #keepText(): void {
    if (this.place === 'text') this.form.change(this.step, { text: this.editor.text })
    if (this.place === 'note') this.form.change(this.step, { note: this.editor.text })
  }

  #back(): null {
    this.#keepText()
    if (this.step > 0) this.#enter(this.step - 1)
    return null
  }

  /** To the next question, if this one is answered. The arrow alone never sends anything. */
  #forth(): Effect | null {
    return this.form.fields.length > 1 ? this.#advance() : null
  }

  #advance(): Effect | null {
    const problem = this.form.problem(this.step)
    if (problem !== null) {
      this.message = problem
      return null
    }
    if (this.form.fields.length === 1) return this.#send()
    if (this.#reviewed || this.step === this.form.fields.length - 1) this.#enterReview()
    else this.#enter(this.step + 1)
    return null
  }

  #send(): Effect | null {
    const found = this.form.firstProblem()
    if (!found) return this.#decide()
    this.#enter(found.field)
    this.message = found.problem
    return null
  }

  /** Leaving everything blank passes the request over: that is asked once more. */
  #decide(): Effect | null {
    const decide = this.form.decision()
    return decide.verb === 'skip' ? this.#askToSkip() : { decide }
  }

  #open(step: number): null {
    this.#enter(step)
    return null
  }

  #enterReview(): void {
    this.place = 'review'
    this.#reviewed = true
    this.line = this.form.fields.length
  }

  #enter(step: number): void {
    this.step = step
    this.list = new OptionList(this.form, step)
    this.place = this.form.field(step).question.options.length === 0 ? 'text' : 'list'
    this.editor = editorOf(this.form.entry(step).text)
    this.#before = 'list'
  }
}

const steps: Record<string, number> = { up: -1, down: 1, home: -Infinity, end: Infinity }

function flat(key: Key): Key {
  const breaks = key.name === 'enter' || key.name === 'return'
  return breaks ? { ...key, name: '', text: '' } : key
}
