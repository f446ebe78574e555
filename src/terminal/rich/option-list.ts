import type { AnswerForm } from '../../form/answer-form.ts'
import type { Question } from '../../protocol/request.ts'
import { matching, type Row, rowsOf } from './option-rows.ts'

/** The options of one question as a person moves over them: what is lit, and what is left of them by what was typed. */
export class OptionList {
  readonly #form: AnswerForm
  readonly #step: number
  /** Which row is lit. None at first, unless there is a default: Enter alone says nothing. */
  cursor: number
  filter = ''

  constructor(form: AnswerForm, step: number) {
    this.#form = form
    this.#step = step
    const { question } = form.field(step)
    const wanted = form.entry(step).chosen[0] ?? defaultPosition(question)
    const at = this.rows().findIndex(row => row.kind === 'option' && row.position === wanted)
    // Where several may be chosen, Enter alone chooses nothing anyway.
    this.cursor = question.multiSelect ? Math.max(0, at) : at
  }

  rows(): Row[] {
    return rowsOf(this.#form, this.#step, this.filter)
  }

  row(): Row | null {
    return this.rows()[this.cursor] ?? null
  }

  move(by: number): null {
    const last = this.rows().length - 1
    const from = this.cursor < 0 && by < 0 ? last + 1 : this.cursor
    this.cursor = Math.min(Math.max(from + by, 0), last)
    return null
  }

  search(filter: string): null {
    const lit = this.row()
    this.filter = filter
    const rows = this.rows()
    const number = rows.findIndex(row => row.kind === 'option' && String(row.position + 1) === filter.trim())
    const first = number >= 0 ? number : rows.findIndex(row => row.kind === 'option')
    const same = rows.findIndex(row => lit !== null && matching(row, lit))
    // Where no option matches, no other row may be taken for one; but "other" is what its row is called.
    const own = 'other'.startsWith(filter.trim().toLowerCase()) ? rows.findIndex(row => row.kind === 'own') : -1
    this.cursor = filter === '' ? same : first >= 0 ? first : own
    return null
  }

  /** A number lights its row, 0 the one for one's own words. A number of no row is a letter like others: it finds nothing. */
  jump(text: string): boolean {
    if (this.filter !== '') return false
    const { multiSelect, options } = this.#form.field(this.#step).question
    // `1,3` is what people type where several may be chosen.
    if (text === ',') return multiSelect
    if (!/^[0-9]$/.test(text) || options.length > 9) return false
    const number = Number(text)
    const at = this.rows().findIndex(row =>
      number === 0 ? row.kind === 'own' : row.kind === 'option' && row.position === number - 1,
    )
    if (at < 0) return false
    this.cursor = at
    if (multiSelect) this.toggle()
    return true
  }

  /** In or out; false where the lit row is no option. */
  toggle(): boolean {
    const row = this.row()
    if (row?.kind !== 'option') return false
    this.#form.toggle(this.#step, row.position)
    return true
  }
}

function defaultPosition({ default: given, options }: Question): number {
  const [first] = given === null ? [] : [given].flat()
  return options.findIndex(option => option.label === first)
}
