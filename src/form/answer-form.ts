import type { AnswerInput, QuestionAnswer } from '../protocol/answer.ts'
import type { Request } from '../protocol/request.ts'
import { validateAnswer } from '../rules/validate-answers.ts'
import { type Field, fieldsOf } from './fields.ts'

export interface Entry {
  /** Positions of the chosen options, in ascending order. */
  readonly chosen: readonly number[]
  /** Whether the text is part of the answer. Without options it always is. */
  readonly own: boolean
  /** Stays when the person chooses something else, so that moving around loses nothing. */
  readonly text: string
  readonly note: string
}

export type Decision =
  | { readonly verb: 'answer'; readonly input: AnswerInput }
  | { readonly verb: 'skip'; readonly note: string | null }
  | { readonly verb: 'decline'; readonly reason: string }

/** The answer to one question, as the hub takes it. */
export type FilledAnswer = Pick<QuestionAnswer, 'selected' | 'text' | 'note'> & {
  readonly id: string
  /** In a draft: there is a text, but it is not part of the answer. */
  readonly own?: false | undefined
}

const blank: Entry = { chosen: [], own: false, text: '', note: '' }

/**
 * What a person has filled in so far, and the decision it amounts to. Headless: the page and both terminal prompts fill
 * in the same form, and none of them decides anything on its own.
 */
export class AnswerForm {
  readonly request: Request
  readonly fields: readonly Field[]
  readonly #entries: Entry[]

  constructor(request: Request) {
    this.request = request
    this.fields = fieldsOf(request)
    this.#entries = this.fields.map(() => blank)
  }

  entry(i: number): Entry {
    return this.#entries[i] ?? blank
  }

  field(i: number): Field {
    const field = this.fields[i]
    if (!field) throw new Error(`The form has no field ${i}.`)
    return field
  }

  change(i: number, change: Partial<Entry>): void {
    const { chosen, ...rest } = { ...this.entry(i), ...change }
    this.#entries[i] = { ...rest, chosen: [...new Set(chosen)].sort((a, b) => a - b) }
  }

  /** Chooses one option instead of everything chosen before. */
  choose(i: number, position: number): void {
    this.change(i, { chosen: [position], own: false })
  }

  /** Adds or removes an option of a question that allows several. */
  toggle(i: number, position: number): void {
    const { chosen } = this.entry(i)
    const rest = chosen.filter(other => other !== position)
    this.change(i, { chosen: rest.length < chosen.length ? rest : [...chosen, position] })
  }

  /** Sets a custom text: instead of the chosen option, or in addition to the chosen ones if several are allowed. */
  write(i: number, text: string): void {
    const { multiSelect } = this.field(i).question
    this.change(i, { text, own: true, chosen: multiSelect ? this.entry(i).chosen : [] })
  }

  clear(i: number): void {
    this.change(i, { chosen: [], own: false })
  }

  /** Fills in the asker's default. */
  useDefault(i: number): void {
    const { default: given, options } = this.field(i).question
    const values = given === null ? [] : [given].flat()
    const positions = values.map(value => options.findIndex(option => option.label === value))
    if (options.length > 0 && !positions.includes(-1)) this.change(i, { chosen: positions, own: false })
    else this.write(i, values[0] ?? '')
  }

  isBlank(i: number): boolean {
    const { question } = this.field(i)
    const { chosen, own, text } = this.entry(i)
    if (question.options.length === 0) return text.trim() === ''
    return chosen.length === 0 && !own
  }

  /** Why this is not a valid answer yet, or null if it is one. */
  problem(i: number): string | null {
    const { question, textRequiredBy, secret } = this.field(i)
    const { chosen, own, text } = this.entry(i)
    const required = this.request.required || this.request.kind !== 'question'
    if (question.options.length === 0) {
      if (text.trim() !== '' || !required) return null
      return secret ? 'A value is needed.' : 'An answer is needed.'
    }
    if (this.isBlank(i)) return required ? 'Choose one of the options.' : null
    if (own && text.trim() === '') return 'Write your answer, or choose an option.'
    const labels = this.labels(i)
    if (textRequiredBy !== null && labels.includes(textRequiredBy) && text.trim() === '')
      return 'Say what should be changed.'
    if (chosen.length === 0) return null
    const numbers = chosen.map(position => `#${position + 1}`)
    const result = validateAnswer({ ...question, required }, question.multiSelect ? numbers : (numbers[0] ?? ''))
    return result.valid ? null : result.error
  }

  firstProblem(): { field: number; problem: string } | null {
    for (const i of this.fields.keys()) {
      const problem = this.problem(i)
      if (problem !== null) return { field: i, problem }
    }
    return null
  }

  labels(i: number): string[] {
    const { options } = this.field(i).question
    return this.entry(i).chosen.flatMap(position => options[position]?.label ?? [])
  }

  /** The values as a person reads them: chosen labels, then the custom text. Secrets stay hidden. */
  summary(i: number): string[] {
    const { secret, question, textRequiredBy } = this.field(i)
    const { own, text } = this.entry(i)
    if (this.isBlank(i)) return []
    if (secret) return ['(hidden)']
    const labels = this.labels(i)
    const withText =
      own || question.options.length === 0 || (textRequiredBy !== null && labels.includes(textRequiredBy))
    return withText ? [...labels, text] : labels
  }

  decision(): Decision {
    if (this.request.kind === 'dependency') return this.#provide()
    const filled = [...this.fields.keys()].filter(i => !this.isBlank(i))
    if (filled.length === 0) return { verb: 'skip', note: this.entry(0).note.trim() || null }
    return { verb: 'answer', input: { answers: filled.map(i => this.#answer(i)) } }
  }

  /**
   * The draft: everything filled in so far, except what must be given anew. Values of a dependency may be secret; a yes
   * that needs a confirmation is worth nothing without it.
   */
  answers(): FilledAnswer[] {
    if (this.request.kind === 'dependency') return []
    return [...this.fields.keys()].flatMap(i => {
      const { text, note } = this.entry(i)
      const { selected, ...answer } = this.#answer(i)
      const kept = selected?.filter(label => this.#needsNoConfirmation(i, label))
      if (!kept?.length && !this.entry(i).own && text === '' && note === '') return []
      const unused = this.#hasUnusedText(i) ? { own: false as const } : {}
      return [{ ...answer, ...(kept ? { selected: kept } : {}), text: text || null, ...unused }]
    })
  }

  /** Fills in a draft instead of everything filled in before. */
  replace(answers: readonly FilledAnswer[]): void {
    this.#entries.fill(blank)
    this.restore(answers)
  }

  /** Fills in a draft, leaving out what no longer fits the request. */
  restore(answers: readonly FilledAnswer[]): void {
    for (const { id, selected = [], text, note, own: used } of answers) {
      const i = this.fields.findIndex(field => field.question.id === id)
      if (i < 0) continue
      const { options } = this.field(i).question
      const chosen = selected
        .filter(label => this.#needsNoConfirmation(i, label))
        .map(label => options.findIndex(option => option.label === label))
        .filter(at => at >= 0)
      const own = options.length > 0 && this.field(i).textRequiredBy === null && Boolean(text) && used !== false
      this.change(i, { chosen, own, text: text ?? '', note: note ?? '' })
    }
  }

  #answer(i: number): FilledAnswer {
    const { question, textRequiredBy } = this.field(i)
    const { own, text, note } = this.entry(i)
    const noted = note.trim() === '' ? {} : { note }
    if (question.options.length === 0) return { id: question.id, text, ...noted }
    const selected = this.labels(i)
    const withText = own || (textRequiredBy !== null && selected.includes(textRequiredBy))
    return { id: question.id, selected, ...(withText ? { text } : {}), ...noted }
  }

  #needsNoConfirmation(i: number, label: string): boolean {
    return this.field(i).confirmation?.label !== label
  }

  #hasUnusedText(i: number): boolean {
    const { question, textRequiredBy } = this.field(i)
    const { own, text } = this.entry(i)
    return question.options.length > 0 && textRequiredBy === null && text !== '' && !own
  }

  #provide(): Decision {
    const note = this.entry(0).note.trim() || null
    if (this.isBlank(0)) return { verb: 'skip', note }
    const value = this.labels(0)[0] ?? this.entry(0).text
    return { verb: 'answer', input: { value, note } }
  }
}
