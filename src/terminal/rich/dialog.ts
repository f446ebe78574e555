import type { Question } from '../../protocol/request.ts'
import { type Editor, edit, editorOf } from '../editor.ts'
import type { Key } from '../keys.ts'
import type { Decision, Sheet } from '../sheet.ts'
import { matching, type Row, rowsOf } from './rows.ts'

// What happens on which key. Where a person is:
//   list     moving over the options of a question
//   text     writing an answer of their own, or what goes with an option
//   note     writing a word beside the answer
//   word     typing the word that a dangerous yes takes
//   review   looking over all answers of a batch before they are sent
//   decline  saying why the answer is no
//   skip     being asked once more whether to pass it over
//   away     the prompt is folded to a line; nothing is lost
// Nothing leads out of here as a decision but Enter at the end, Ctrl-X with a reason, and Ctrl-S said twice.

export type Place = 'list' | 'text' | 'note' | 'word' | 'review' | 'decline' | 'skip' | 'away'

/** What the keys amount to: a decision, folding the prompt away, or leaving with everything open. */
export type Effect = { readonly decide: Decision } | 'fold' | 'leave'

export class Dialog {
  readonly sheet: Sheet
  /** What Esc does, in words. */
  readonly onEscape: string
  step = 0
  place: Place
  editor: Editor = editorOf('')
  /** Which row is lit, in the list or in the review. None at first, unless there is a default: Enter alone says nothing. */
  cursor = -1
  filter = ''
  message: string | null = null
  /** How far the person has scrolled away from where the dialog would look. */
  scrolled = 0
  #before: Place = 'list'
  #reviewed = false

  constructor(sheet: Sheet, onEscape = 'Esc fold') {
    this.sheet = sheet
    this.onEscape = onEscape
    this.place = 'list'
    for (const [i, { question }] of sheet.fields.entries()) {
      // Shown as chosen, so that leaving them out is a choice, too.
      if (question.multiSelect && question.default !== null && sheet.isBlank(i)) sheet.useDefault(i)
    }
    this.#enter(0)
  }

  press(key: Key): Effect | null {
    const effect = this.#press(key)
    this.#keepText()
    return effect
  }

  #press(key: Key): Effect | null {
    if (key.ctrl && (key.name === 'c' || key.name === 'd') && !key.pasted) return 'leave'
    if (key.name === 'pageup' || key.name === 'pagedown') {
      this.scrolled += key.name === 'pageup' ? -5 : 5
      return null
    }
    this.scrolled = 0
    this.message = null
    switch (this.place) {
      case 'away':
        if (key.name === 'return' && !key.pasted) this.unfold()
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

  fold(): void {
    if (this.place === 'away') return
    this.#keepText()
    this.#before = this.place
    this.place = 'away'
  }

  unfold(): void {
    if (this.place === 'away') this.place = this.#before
  }

  rows(): Row[] {
    return rowsOf(this.sheet, this.step, this.filter)
  }

  row(): Row | null {
    return this.rows()[this.cursor] ?? null
  }

  #pressInList(key: Key): Effect | null {
    const { question } = this.sheet.field(this.step)
    // What comes out of the clipboard chooses nothing.
    if (key.pasted) return key.text === '' ? null : this.#typeInList(key)
    if (key.ctrl) return this.#pressControl(key)
    switch (key.name) {
      case 'up':
        return this.#move(-1)
      case 'down':
        return this.#move(1)
      case 'home':
        return this.#move(-Infinity)
      case 'end':
        return this.#move(Infinity)
      case 'left':
        return this.#back()
      case 'right':
        return this.#forth()
      case 'tab':
        return key.shift ? this.#back() : this.#write('note')
      case 'return':
        return this.#take()
      case 'escape':
        return this.#escapeList()
      case 'backspace':
        this.#search([...this.filter].slice(0, -1).join(''))
        return null
      case 'space':
        if (question.multiSelect && this.#toggle()) return null
    }
    if (key.text === '') return null
    if (this.filter === '' && this.#jump(key.text)) return null
    return this.#typeInList(key)
  }

  #pressControl({ name }: Key): Effect | null {
    if (name === 'p') return this.#move(-1)
    if (name === 'n') return this.#move(1)
    if (name === 'u') this.#search('')
    if (name === 'x') return this.#write('decline')
    if (name === 's') return this.#askToSkip()
    return null
  }

  /** Letters on a line of one's own go into it; elsewhere they narrow the list down. */
  #typeInList(key: Key): null {
    if (this.row()?.kind === 'own' && this.filter === '') {
      this.#write('text')
      this.editor = edit(this.editor, key) ?? this.editor
    } else if (key.text.trim() !== '' || this.filter !== '') this.#search(this.filter + key.text)
    return null
  }

  #search(filter: string): void {
    const lit = this.row()
    this.filter = filter
    const rows = this.rows()
    const first = rows.findIndex(row => row.kind === 'option')
    const same = rows.findIndex(row => lit !== null && matching(row, lit))
    // Where no option matches, no other row may be taken for one; but "other" is what its row is called.
    const own = 'other'.startsWith(filter.trim().toLowerCase()) ? rows.findIndex(row => row.kind === 'own') : -1
    this.cursor = filter === '' ? same : first >= 0 ? first : own
  }

  /** A number lights its row, 0 the one for one's own words. A number of no row is a letter like others: it finds nothing. */
  #jump(text: string): boolean {
    const { multiSelect, options } = this.sheet.field(this.step).question
    // `1,3` is what people type where several may be chosen.
    if (text === ',') return multiSelect
    if (!/^[0-9]$/.test(text) || options.length > 9) return false
    const number = Number(text)
    const at = this.rows().findIndex(row =>
      number === 0 ? row.kind === 'own' : row.kind === 'option' && row.position === number - 1,
    )
    if (at < 0) return false
    this.cursor = at
    if (multiSelect && number > 0) this.#toggle()
    return true
  }

  #move(by: number): null {
    const last = this.place === 'review' ? this.sheet.fields.length : this.rows().length - 1
    const from = this.cursor < 0 && by < 0 ? last + 1 : this.cursor
    this.cursor = Math.min(Math.max(from + by, 0), last)
    return null
  }

  #toggle(): boolean {
    const row = this.row()
    if (row?.kind === 'own') {
      const { own, text } = this.sheet.entry(this.step)
      if (own || text.trim() !== '') this.sheet.change(this.step, { own: !own })
      else this.#write('text')
      return true
    }
    if (row?.kind !== 'option') return false
    this.sheet.toggle(this.step, row.position)
    return true
  }

  /** Enter on a row. Where several may be chosen, Space chooses, and Enter goes on with what is chosen. */
  #take(): Effect | null {
    const { question, textWith, wordFor } = this.sheet.field(this.step)
    const row = this.row()
    if (!row && !(question.multiSelect && !this.sheet.isBlank(this.step))) {
      this.message = this.filter === '' ? 'Choose with ↑↓ or a number first.' : 'Nothing matches. Esc shows all again.'
      return null
    }
    if (row?.kind === 'own' && !(question.multiSelect && this.sheet.entry(this.step).own)) return this.#write('text')
    if (row?.kind === 'blank') {
      this.sheet.clear(this.step)
      return this.#advance()
    }
    if (question.multiSelect) {
      if (!this.sheet.isBlank(this.step)) return this.#advance()
      this.message = 'Nothing is chosen yet: Space chooses, Enter goes on.'
      return null
    }
    if (row?.kind !== 'option') return null
    this.sheet.choose(this.step, row.position)
    const label = question.options[row.position]?.label
    if (label === textWith) return this.#write('text')
    if (label === wordFor?.label) return this.#write('word')
    return this.#advance()
  }

  #escapeList(): Effect | null {
    if (this.filter === '') return 'fold'
    this.#search('')
    return null
  }

  #pressInEditor(key: Key): Effect | null {
    const isFree = this.place === 'text' && this.sheet.field(this.step).question.options.length === 0
    if (key.ctrl && key.name === 'x' && this.place !== 'decline') return this.#write('decline')
    if (key.ctrl && key.name === 's') return this.#askToSkip()
    if (key.name === 'tab' && !key.pasted && this.place === 'text')
      return key.shift ? this.#back() : this.#write('note')
    if (key.name === 'escape') return isFree ? 'fold' : this.#leaveEditor()
    if (key.name === 'return' && !key.pasted && !key.alt && !key.ctrl) return this.#finishEditor()
    const edited = edit(this.editor, this.#singleLine() ? flat(key) : key)
    if (edited) this.editor = edited
    else if (key.name === 'up' && !isFree) return this.#leaveEditor()
    return null
  }

  /** A secret and a word are one line; a line break in a paste must not become part of them. */
  #singleLine(): boolean {
    return this.place === 'word' || (this.place === 'text' && this.sheet.field(this.step).secret)
  }

  #leaveEditor(): null {
    this.#keepText()
    this.place = this.#before
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
    const wanted = this.sheet.field(this.step).wordFor?.word ?? ''
    if (text.trim().toLowerCase() === wanted) return this.#advance()
    this.message = `Type ${wanted} and press Enter, or Esc to go back. Nothing was approved.`
    return null
  }

  #finishText(text: string): Effect | null {
    const { question, textWith } = this.sheet.field(this.step)
    if (text.trim() === '') {
      if (question.options.length === 0 && question.default !== null) this.sheet.useDefault(this.step)
      else if (question.options.length > 0 && textWith === null) return this.#leaveEditor()
    } else if (textWith === null && question.options.length > 0) this.sheet.write(this.step, text)
    else this.sheet.change(this.step, { text })
    return this.#advance()
  }

  #pressInReview(key: Key): Effect | null {
    if (key.pasted) return null
    if (key.ctrl) return this.#pressControl(key)
    if (key.name === 'up' || key.name === 'down') return this.#move(key.name === 'up' ? -1 : 1)
    if (key.name === 'left' || (key.name === 'tab' && key.shift)) return this.#open(this.sheet.fields.length - 1)
    if (key.name === 'escape') return 'fold'
    if (/^[1-9]$/.test(key.text) && Number(key.text) <= this.sheet.fields.length)
      return this.#open(Number(key.text) - 1)
    if (key.name !== 'return') return null
    return this.cursor < this.sheet.fields.length ? this.#open(this.cursor) : this.#send()
  }

  #pressInSkip(key: Key): Effect | null {
    if (key.pasted) return null
    if (key.name === 'return' || (key.ctrl && key.name === 's')) return { decide: { verb: 'skip', note: this.#note() } }
    this.place = this.#before
    return null
  }

  #note(): string | null {
    return this.sheet.entry(0).note.trim() || null
  }

  #askToSkip(): null {
    if (this.sheet.request.required) this.message = 'This one is required and cannot be skipped. Ctrl-X declines it.'
    else {
      this.#keepText()
      if (this.place !== 'note' && this.place !== 'word') this.#before = this.place
      this.place = 'skip'
    }
    return null
  }

  #write(place: 'text' | 'note' | 'word' | 'decline'): null {
    this.#keepText()
    if (this.place === 'list' || this.place === 'review' || this.place === 'text') this.#before = this.place
    const { text, note } = this.sheet.entry(this.step)
    this.editor = editorOf(place === 'text' ? text : place === 'note' ? note : '')
    this.place = place
    return null
  }

  /** What is half written stays with its question, whether or not it becomes the answer. */
  #keepText(): void {
    if (this.place === 'text') this.sheet.change(this.step, { text: this.editor.text })
    if (this.place === 'note') this.sheet.change(this.step, { note: this.editor.text })
  }

  #back(): null {
    this.#keepText()
    if (this.step > 0) this.#enter(this.step - 1)
    return null
  }

  /** To the next question, if this one is answered. The arrow alone never sends anything. */
  #forth(): Effect | null {
    return this.sheet.fields.length > 1 ? this.#advance() : null
  }

  #advance(): Effect | null {
    const problem = this.sheet.problem(this.step)
    if (problem !== null) {
      this.message = problem
      return null
    }
    if (this.sheet.fields.length === 1) return this.#send()
    if (this.#reviewed || this.step === this.sheet.fields.length - 1) this.#enterReview()
    else this.#enter(this.step + 1)
    return null
  }

  #send(): Effect | null {
    const found = this.sheet.firstProblem()
    if (!found) return { decide: this.sheet.decision() }
    this.#enter(found.field)
    this.message = found.problem
    return null
  }

  #open(step: number): null {
    this.#enter(step)
    return null
  }

  #enterReview(): void {
    this.place = 'review'
    this.#reviewed = true
    this.cursor = this.sheet.fields.length
  }

  #enter(step: number): void {
    this.step = step
    this.filter = ''
    const { question } = this.sheet.field(step)
    const { chosen, text } = this.sheet.entry(step)
    this.place = question.options.length === 0 ? 'text' : 'list'
    this.editor = editorOf(text)
    this.#before = 'list'
    const wanted = chosen[0] ?? defaultPosition(question)
    this.cursor = this.rows().findIndex(row => row.kind === 'option' && row.position === wanted)
    // Where several may be chosen, Enter alone chooses nothing anyway.
    if (question.multiSelect) this.cursor = Math.max(0, this.cursor)
  }
}

function defaultPosition({ default: given, options }: Question): number {
  const [first] = given === null ? [] : [given].flat()
  return options.findIndex(option => option.label === first)
}

function flat(key: Key): Key {
  const breaks = key.name === 'enter' || key.name === 'return'
  return breaks ? { ...key, name: '', text: '' } : key
}
