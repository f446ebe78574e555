import { AnswerForm, type Decision } from '../../form/answer-form.ts'
import type { EarlierAnswer } from '../../protocol/earlier.ts'
import type { Request } from '../../protocol/request.ts'
import { alwaysLabels } from '../../rules/questions.ts'
import { togetherProblem } from '../../rules/together.ts'
import { type Editor, editorOf } from '../editor.ts'
import { noSuchOption } from '../no-such-option.ts'
import { type FacetValue, facetValues, narrow } from './filter.ts'
import { type Item, isSnoozed } from './item.ts'
import { type Change, RequestList } from './request-list.ts'

/**
 * Where the keyboard focus is:
 *   list     moving over the requests
 *   filter   typing words to filter the list
 *   facets   choosing a project, an agent or a kind to show
 *   answer   confirming the answer that a number chose
 *   text     writing an answer, or the text that an option requires
 *   skip     confirming that the request should be skipped
 *   decline  writing the reason for declining
 *   last     confirming that the request should be answered as last time
 *   message  asking back: writing to the agent
 *   snooze   choosing how long the request should be hidden
 *   help     reading the list of keys
 */
export type Focus = 'list' | 'filter' | 'facets' | 'help' | AboutRequests
type AboutRequests = 'answer' | 'text' | 'skip' | 'decline' | 'last' | 'message' | 'snooze'

/** What a key leads to. */
export type Effect =
  | 'quit'
  | 'reload'
  | 'edit-outside'
  | { readonly open: Request }
  | { readonly settle: readonly Request[]; readonly by: Decision }
  | { readonly ask: Request; readonly text: string }
  | { readonly snooze: readonly Request[]; readonly until: string | null }

const showMessageFor = 15_000
// Keys closer together than this belong to a text whose request is gone.
const typingPause = 700

/** The state of the inbox, and the moves from one state to the next. Which key makes which move is in press-key.ts. */
export class Inbox {
  readonly list: RequestList
  focus: Focus = 'list'
  filter: Editor = editorOf('')
  /** The answer, the reason to decline, or the message. */
  text: Editor = editorOf('')
  /** The requests that the open question is about. */
  targets: readonly Item[] = []
  /** The answer that is being chosen for them. */
  form: AnswerForm | null = null
  /** The highlighted line of the facets; 0 is everything. */
  facet = 0
  /** How far the person has scrolled in the help, or in the titles of the targets. */
  scrolled = 0
  readonly #now: () => number
  #message: { readonly text: string; readonly at: number; readonly isReply: boolean } | null = null
  #isAtKey = false
  #ignoringSince: number | null = null
  readonly #last = new Map<string, EarlierAnswer | null>()

  constructor(now: () => number) {
    this.#now = now
    this.list = new RequestList(now)
  }

  get now(): number {
    return this.#now()
  }

  /** What was answered when the selected request was asked before; undefined while that is not known. */
  get last(): EarlierAnswer | null | undefined {
    const { selected } = this.list
    return selected ? this.#last.get(selected.request.id) : null
  }

  learnLast(id: string, last: EarlierAnswer | null): void {
    this.#last.set(id, last)
  }

  get message(): string | null {
    return this.#message && this.#now() - this.#message.at < showMessageFor ? this.#message.text : null
  }

  showMessage(text: string): null {
    this.#message = { text, at: this.#now(), isReply: this.#isAtKey }
    return null
  }

  /** A message in reply to a key goes away with the next key; news stay for a while. */
  atKey<Result>(press: () => Result): Result {
    if (this.#message?.isReply) this.#message = null
    this.#isAtKey = true
    try {
      return press()
    } finally {
      this.#isAtKey = false
    }
  }

  update(change: Change): void {
    this.list.update(change)
    for (const { id } of change.left) this.#last.delete(id)
    if (!isAboutRequests(this.focus)) return
    const gone = new Set(change.left.map(({ id }) => id))
    this.targets = this.targets.filter(({ request }) => !gone.has(request.id))
    if (this.targets.length > 0) return
    // The text being typed was meant for a request that is gone; the next request must not get it.
    this.ignoreKeysUntilPause()
    this.focus = 'list'
  }

  /** The request that the person was typing into is gone: drops keys until the person pauses. */
  ignoreKeysUntilPause(): void {
    this.#ignoringSince = this.#now()
  }

  isIgnoringKeys(): boolean {
    if (this.#ignoringSince === null) return false
    const pause = this.#now() - this.#ignoringSince
    this.#ignoringSince = pause < typingPause ? this.#now() : null
    return pause < typingPause
  }

  setFocus(focus: Focus): null {
    this.#message = null
    this.focus = focus
    return null
  }

  search(filter: Editor): null {
    this.filter = filter
    this.list.search(filter.text)
    return null
  }

  move(by: number): null {
    this.list.move(by)
    return null
  }

  moveToNew(): null {
    return this.list.moveToNew() ? null : this.showMessage('Nothing is new.')
  }

  mark(): null {
    this.list.toggleMark()
    return this.move(1)
  }

  markAlike(): null {
    const { selected } = this.list
    if (!selected || this.list.markAlike() > 0) return null
    return this.showMessage(togetherProblem([selected.request], 'answer') ?? '')
  }

  toggleSnoozed(): null {
    this.list.toggleSnoozed()
    return null
  }

  /** Returns false if nothing is marked and nothing filtered. */
  undoSelectionOrFilter(): boolean {
    const { marked } = this.list
    if (marked.length > 0) this.list.unmark()
    else if (this.filter.text !== '') this.search(editorOf(''))
    else return false
    return true
  }

  openHelp(): null {
    this.scrolled = 0
    return this.setFocus('help')
  }

  openFacets(): null {
    this.facet = 0
    return this.setFocus('facets')
  }

  /** What the list can be narrowed to. */
  get facets(): readonly FacetValue[] {
    return facetValues(this.list.all)
  }

  /** Shows only what has the highlighted value, or everything. */
  narrow(): null {
    const { facets } = this
    const value = facets[this.facet - 1]
    this.search(editorOf(value ? narrow(this.filter.text, value, facets) : ''))
    return this.setFocus('list')
  }

  /** Takes the option with this number as the answer to what is marked, or to the selected request. */
  answer(number: number): null {
    const targets = this.#targets()
    const [first] = targets
    if (!first) return null
    const problem = targets.length > 1 ? togetherProblem(requestsOf(targets), 'answer') : null
    if (problem) return this.showMessage(problem)
    const form = new AnswerForm(first.request)
    if (form.fields.length > 1)
      return this.showMessage(`It asks ${form.fields.length} questions. Press Enter to open it.`)
    if (form.field(0).question.options.length === 0)
      return this.showMessage('It has no options to choose from. Press Enter to open it.')
    return this.#choose(form, targets, number)
  }

  /** Another number while an answer waits for its confirmation: instead of it, or in addition if several may be chosen. */
  answerOtherwise(number: number): null {
    return this.form && this.#choose(this.form, this.targets, number)
  }

  #choose(form: AnswerForm, targets: readonly Item[], number: number): null {
    const { question, confirmation, textRequiredBy } = form.field(0)
    const option = question.options[number - 1]
    if (!option && !(number === 0 && question.allowOther))
      return this.showMessage(noSuchOption(String(number), question.options.length))
    if (option?.label === confirmation?.label && confirmation)
      return this.showMessage('This is dangerous: press Enter to open it, and approve it there.')
    if (targets.length > 1 && Object.values(alwaysLabels).includes(option?.label ?? ''))
      return this.showMessage('What is allowed always is decided one by one.')
    if (!option) form.write(0, '')
    else if (question.multiSelect) form.toggle(0, number - 1)
    else form.choose(0, number - 1)
    this.form = form
    return this.#ask(!option || option.label === textRequiredBy ? 'text' : 'answer', targets)
  }

  /** The chosen answer; null with a message if it is not complete. */
  takeAnswer(): Effect | null {
    const { form, targets } = this
    if (!form) return null
    if (this.focus === 'text') form.change(0, { text: this.text.text })
    const problem = form.isBlank(0) ? 'Choose one of the options.' : form.problem(0)
    if (problem) return this.showMessage(problem)
    this.focus = 'list'
    return { settle: requestsOf(targets), by: form.decision() }
  }

  askToSkip(): null {
    const target = this.#onlyTarget()
    if (!target) return null
    if (!target.request.required) return this.#ask('skip', [target])
    return this.showMessage('This request is required, so it cannot be skipped. Press d to decline it.')
  }

  askToAnswerAgain(): null {
    const target = this.#onlyTarget()
    return target && this.last ? this.#ask('last', [target]) : null
  }

  askForReason(): null {
    const targets = this.#targets()
    const problem = targets.length > 1 ? togetherProblem(requestsOf(targets), 'decline') : null
    return problem ? this.showMessage(problem) : this.#ask('decline', targets)
  }

  askForMessage(): null {
    const target = this.#onlyTarget()
    if (!target) return null
    if (target.request.canReply) return this.#ask('message', [target])
    return this.showMessage('This agent cannot be asked back. Press d to decline, with your message as the reason.')
  }

  /** A snoozed request comes back at once. */
  askToSnooze(): Effect | null {
    const targets = this.#targets()
    if (targets.length > 0 && targets.every(target => isSnoozed(target, this.#now())))
      return { snooze: requestsOf(targets), until: null }
    return this.#ask('snooze', targets)
  }

  #ask(focus: AboutRequests, targets: readonly Item[]): null {
    if (targets.length === 0) return null
    this.targets = targets
    this.text = editorOf('')
    this.scrolled = 0
    return this.setFocus(focus)
  }

  /** What is marked, or else the selected request. */
  #targets(): readonly Item[] {
    const { marked, selected } = this.list
    return marked.length > 0 ? marked : selected ? [selected] : []
  }

  #onlyTarget(): Item | null {
    const targets = this.#targets()
    if (targets.length > 1) this.showMessage('This is done one by one. Press Esc to select none, then do it.')
    return targets.length === 1 ? (targets[0] ?? null) : null
  }
}

function isAboutRequests(focus: Focus): focus is AboutRequests {
  return focus !== 'list' && focus !== 'filter' && focus !== 'facets' && focus !== 'help'
}

export function requestsOf(items: readonly Item[]): Request[] {
  return items.map(({ request }) => request)
}
