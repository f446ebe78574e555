import type { AnswerForm } from '../../form/answer-form.ts'
import type { Question } from '../../protocol/request.ts'
import { isSameRow, numberOf, type Row, rowsOf } from './option-rows.ts'

/** The options of one question: which row is highlighted, and which rows match the filter. */
export class OptionList {
  readonly #form: AnswerForm
  readonly #step: number
  /** The highlighted row: none at first unless there is a default, so that Enter alone chooses nothing. */
  cursor: number
  filter = ''

  constructor(form: AnswerForm, step: number) {
    this.#form = form
    this.#step = step
    const { question } = form.field(step)
    const wanted = form.entry(step).chosen[0] ?? defaultPosition(question)
    const at = this.rows().findIndex(row => row.kind === 'option' && row.position === wanted)
    // If several may be chosen, Enter does not choose anyway.
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
    const highlighted = this.row()
    this.filter = filter
    const rows = this.rows()
    const number = rows.findIndex(row => row.kind === 'option' && String(row.position + 1) === filter.trim())
    const first = number >= 0 ? number : rows.findIndex(row => ['option', 'edit', 'reason'].includes(row.kind))
    const same = rows.findIndex(row => highlighted !== null && isSameRow(row, highlighted))
    // If no option matches, Enter must not take another row by accident; but typing "other" finds the row of that name.
    const other = 'other'.startsWith(filter.trim().toLowerCase()) ? rows.findIndex(row => row.kind === 'other') : -1
    this.cursor = filter === '' ? same : first >= 0 ? first : other
    return null
  }

  /** A number highlights its row, and 0 the custom answer. Returns false if the text is not the number of a row. */
  jump(text: string): boolean {
    if (this.filter !== '') return false
    const { multiSelect, options } = this.#form.field(this.#step).question
    // People type `1,3` to choose several.
    if (text === ',') return multiSelect
    if (!/^[0-9]$/.test(text) || options.length > 9) return false
    const number = Number(text)
    const at = this.rows().findIndex(row => numberOf(this.#form, this.#step, row) === number)
    if (at < 0) return false
    this.cursor = at
    if (multiSelect) this.toggle()
    return true
  }

  /** A number that neither counts nor names an option; it is a slip, and filters nothing. */
  isNumberWithoutOption(text: string): boolean {
    return /^[0-9]+$/.test(text) && !rowsOf(this.#form, this.#step, text).some(row => row.kind === 'option')
  }

  /** The highest number that a row has, also if the filter hides it. */
  get highestNumber(): number {
    const rows = rowsOf(this.#form, this.#step, '')
    return Math.max(...rows.map(row => numberOf(this.#form, this.#step, row) ?? 0))
  }

  /** Returns false if the highlighted row is not an option. */
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
