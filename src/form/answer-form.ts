import type { AnswerInput, QuestionAnswer } from '../protocol/answer.ts'
import type { Question, Request } from '../protocol/request.ts'
import { secretTypes } from '../protocol/status.ts'
import { validateAnswer } from '../rules/answers.ts'
import { questionsOf } from '../rules/questions.ts'

// The headless part of prompting: what a person has filled in so far, and what it amounts to. Both skins, rich and plain,
// fill in such a sheet; neither decides anything by itself.

/** One thing to fill in: a question of the request, or what stands for one. */
export interface Field {
  readonly question: Question
  /** What is typed is not shown, and never kept. */
  readonly secret: boolean
  /** Choosing this label takes a text beside it. */
  readonly textWith: string | null
  /** Choosing this label takes a typed word, so that one key too many cannot do it. */
  readonly wordFor: { readonly label: string; readonly word: string } | null
}

export interface Entry {
  /** Positions of the chosen options, in their order. */
  readonly chosen: readonly number[]
  /** Whether the text is part of the answer; without options it always is. */
  readonly own: boolean
  /** Kept when something else is chosen, so that moving around loses nothing. */
  readonly text: string
  readonly note: string
}

export type Decision =
  | { readonly verb: 'answer'; readonly input: AnswerInput }
  | { readonly verb: 'skip'; readonly note: string | null }
  | { readonly verb: 'decline'; readonly reason: string }

/** One question's answer as the hub takes it. */
export type Filled = Pick<QuestionAnswer, 'selected' | 'text' | 'note'> & {
  readonly id: string
  /** In a draft: the text was written and is not part of the answer. */
  readonly own?: false | undefined
}

const blank: Entry = { chosen: [], own: false, text: '', note: '' }

export class Sheet {
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
    if (!field) throw new Error(`There is no field ${i}.`)
    return field
  }

  change(i: number, change: Partial<Entry>): void {
    const { chosen, ...rest } = { ...this.entry(i), ...change }
    this.#entries[i] = { ...rest, chosen: [...new Set(chosen)].sort((a, b) => a - b) }
  }

  /** One option, in place of whatever was chosen. */
  choose(i: number, position: number): void {
    this.change(i, { chosen: [position], own: false })
  }

  /** In or out, where several may be chosen. */
  toggle(i: number, position: number): void {
    const { chosen } = this.entry(i)
    const rest = chosen.filter(other => other !== position)
    this.change(i, { chosen: rest.length < chosen.length ? rest : [...chosen, position] })
  }

  /** A text of one's own: in place of an option, or beside those that are chosen where several may be. */
  write(i: number, text: string): void {
    const several = this.field(i).question.multiSelect
    this.change(i, { text, own: true, chosen: several ? this.entry(i).chosen : [] })
  }

  clear(i: number): void {
    this.change(i, { chosen: [], own: false })
  }

  /** What the asker named for the case that nothing else is chosen. */
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

  /** Why this is no answer yet; null when it is one. */
  problem(i: number): string | null {
    const { question, textWith, secret } = this.field(i)
    const { chosen, own, text } = this.entry(i)
    const required = this.request.required || this.request.kind !== 'question'
    if (question.options.length === 0) {
      if (text.trim() !== '' || !required) return null
      return secret ? 'A value is needed.' : 'An answer is needed.'
    }
    if (this.isBlank(i)) return required ? 'Choose one of the options.' : null
    if (own && text.trim() === '') return 'Write your answer, or choose an option.'
    const labels = this.labels(i)
    if (textWith !== null && labels.includes(textWith) && text.trim() === '') return 'Say what should be changed.'
    if (chosen.length === 0) return null
    const numbers = chosen.map(position => `#${position + 1}`)
    const verdict = validateAnswer({ ...question, required }, question.multiSelect ? numbers : (numbers[0] ?? ''))
    return verdict.valid ? null : verdict.error
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

  /** The values as a person reads them: chosen labels, then the text of their own. A secret is only said to be there. */
  summary(i: number): string[] {
    const { secret, question, textWith } = this.field(i)
    const { own, text } = this.entry(i)
    if (this.isBlank(i)) return []
    if (secret) return ['(hidden)']
    const labels = this.labels(i)
    const withText = own || question.options.length === 0 || (textWith !== null && labels.includes(textWith))
    return withText ? [...labels, text] : labels
  }

  decision(): Decision {
    if (this.request.kind === 'dependency') return this.#provide()
    const filled = [...this.fields.keys()].filter(i => !this.isBlank(i))
    if (filled.length === 0) return { verb: 'skip', note: this.entry(0).note.trim() || null }
    return { verb: 'answer', input: { answers: filled.map(i => this.#answer(i)) } }
  }

  /** What was filled in so far, for another day or another screen. Nothing of a dependency is ever kept. */
  answers(): Filled[] {
    if (this.request.kind === 'dependency') return []
    return [...this.fields.keys()]
      .filter(i => !this.isBlank(i) || this.entry(i).text !== '' || this.entry(i).note !== '')
      .map(i => ({
        ...this.#answer(i),
        text: this.entry(i).text || null,
        ...(this.#hasUnusedText(i) ? { own: false } : {}),
      }))
  }

  /** Fills in what was kept. What does not fit any more is left out. */
  restore(answers: readonly Filled[]): void {
    for (const { id, selected = [], text, note, own: used } of answers) {
      const i = this.fields.findIndex(field => field.question.id === id)
      if (i < 0) continue
      const { options } = this.field(i).question
      const chosen = selected.map(label => options.findIndex(option => option.label === label)).filter(at => at >= 0)
      const own = options.length > 0 && this.field(i).textWith === null && Boolean(text) && used !== false
      this.change(i, { chosen, own, text: text ?? '', note: note ?? '' })
    }
  }

  #answer(i: number): Filled {
    const { question, textWith } = this.field(i)
    const { own, text, note } = this.entry(i)
    const noted = note.trim() === '' ? {} : { note }
    if (question.options.length === 0) return { id: question.id, text, ...noted }
    const selected = this.labels(i)
    const withText = own || (textWith !== null && selected.includes(textWith))
    return { id: question.id, selected, ...(withText ? { text } : {}), ...noted }
  }

  #hasUnusedText(i: number): boolean {
    const { question, textWith } = this.field(i)
    const { own, text } = this.entry(i)
    return question.options.length > 0 && textWith === null && text !== '' && !own
  }

  #provide(): Decision {
    const note = this.entry(0).note.trim() || null
    if (this.isBlank(0)) return { verb: 'skip', note }
    const value = this.labels(0)[0] ?? this.entry(0).text
    return { verb: 'answer', input: { value, note } }
  }
}

function fieldsOf(request: Request): Field[] {
  const usual = { secret: false, textWith: null, wordFor: null }
  switch (request.kind) {
    case 'question':
      return request.questions.map(question => ({ ...usual, question }))
    case 'approval': {
      const dangerous = ['high', 'critical'].includes(request.action.severity)
      const wordFor = dangerous ? { label: 'yes', word: 'yes' } : null
      return questionsOf(request).map(question => ({
        ...usual,
        question: { ...question, header: 'Approval', question: 'May it run?' },
        wordFor,
      }))
    }
    case 'review':
      // The text goes with "changes"; alone it would be no answer.
      return questionsOf(request).map(question => ({
        ...usual,
        question: { ...question, header: 'Review', question: 'Is it good as it is?', allowOther: false },
        textWith: 'changes',
      }))
    case 'dependency': {
      const options = request.type === 'permission' ? ['yes', 'no'] : []
      const header = request.name
      const question = { ...bare, header, options: options.map(label => ({ label, description: '', preview: '' })) }
      return [{ ...usual, question, secret: secretTypes.includes(request.type) }]
    }
  }
}

const bare = {
  id: 'value',
  question: '',
  header: '',
  category: null,
  multiSelect: false,
  allowOther: false,
  default: null,
}
