import type { Request } from '../../protocol/request.ts'
import { alikeKey } from '../../rules/together.ts'
import { narrowGroups } from './filter.ts'
import { type Group, groupItems } from './group.ts'
import { type Item, isSnoozed } from './item.ts'

/** The requests that arrived, whose reminder came, that changed otherwise, and that were settled, since the last change. */
export interface Change {
  readonly arrived: readonly Item[]
  readonly reminded?: readonly Item[]
  readonly changed?: readonly Item[]
  readonly left: readonly Request[]
}

/**
 * The requests on the screen, the one under the pointer, those that the person marked, and those that are new. All of
 * these are requests, not positions: other requests come and go around them.
 */
export class RequestList {
  /** False until the hub has returned the first list. */
  loaded = false
  readonly #now: () => number
  readonly #items = new Map<string, Item>()
  readonly #marked = new Set<string>()
  readonly #new = new Set<string>()
  #filter = ''
  #showsSnoozed = false
  #selected: string | null = null
  // Arranged when somebody looks: many requests may come and go before that.
  #all: readonly Group[] | null = null
  #groups: readonly Group[] | null = null
  #rows: readonly Item[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** All pending requests, whatever the filter; without those that are snoozed. */
  get all(): readonly Item[] {
    return [...this.#items.values()].filter(item => !isSnoozed(item, this.#now()))
  }

  get snoozedCount(): number {
    return this.#items.size - this.all.length
  }

  get showsSnoozed(): boolean {
    return this.#showsSnoozed
  }

  /** The requests shown, in order. The same array until something changes. */
  get rows(): readonly Item[] {
    this.#arrange()
    return this.#rows
  }

  /** The same requests by asker. */
  get groups(): readonly Group[] {
    return this.#arrange()
  }

  get selectedIndex(): number {
    return this.rows.findIndex(({ request }) => request.id === this.#selected)
  }

  get selected(): Item | null {
    return this.rows[this.selectedIndex] ?? null
  }

  get marked(): readonly Item[] {
    return this.#marked.size === 0 ? [] : this.rows.filter(item => this.isMarked(item))
  }

  isMarked({ request }: Item): boolean {
    return this.#marked.has(request.id)
  }

  /** Came while the list was open, and the pointer has not been on it. */
  isNew({ request }: Item): boolean {
    return this.#new.has(request.id)
  }

  /** What is new, also where the filter hides it. */
  get newCount(): number {
    return this.#new.size
  }

  get filter(): string {
    return this.#filter
  }

  update({ arrived, reminded = [], changed = [], left }: Change): void {
    for (const item of arrived) if (this.loaded) this.#new.add(item.request.id)
    this.loaded = true
    for (const item of [...arrived, ...reminded, ...changed]) this.#items.set(item.request.id, item)
    for (const { id } of left) for (const known of [this.#items, this.#marked, this.#new]) known.delete(id)
    this.#all = null
    this.#groups = null
  }

  search(filter: string): void {
    this.#filter = filter
    this.#groups = null
    this.#arrange(0)
    // Nothing is decided that the person does not see.
    const shown = new Set(this.#rows.map(({ request }) => request.id))
    for (const id of this.#marked) if (!shown.has(id)) this.#marked.delete(id)
  }

  toggleSnoozed(): void {
    this.#showsSnoozed = !this.#showsSnoozed
    this.#marked.clear()
    this.#all = null
    this.#groups = null
    this.#arrange(0)
  }

  move(by: number): void {
    const last = this.rows.length - 1
    const at = Math.min(Math.max(this.selectedIndex + by, 0), Math.max(last, 0))
    this.#selected = this.rows[at]?.request.id ?? null
  }

  /** Moves to the next new request, from the top again after the last one. Returns false if there is none. */
  moveToNew(): boolean {
    const at = this.selectedIndex
    const next = [...this.rows.slice(at + 1), ...this.rows.slice(0, at + 1)].find(item => this.isNew(item))
    if (next) this.#selected = next.request.id
    return next !== undefined
  }

  /** The person has seen what the pointer is on. */
  see(): void {
    if (this.#selected !== null) this.#new.delete(this.#selected)
  }

  toggleMark(): void {
    const id = this.selected?.request.id
    if (id === undefined) return
    if (!this.#marked.delete(id)) this.#marked.add(id)
  }

  /** Marks everything on the list that asks the same as the selected request. Returns how many are marked then. */
  markAlike(): number {
    const { selected } = this
    const key = selected && alikeKey(selected.request)
    if (!key) return 0
    for (const { request, agent, project } of this.rows)
      if (agent === selected.agent && project === selected.project && alikeKey(request) === key)
        this.#marked.add(request.id)
    return this.#marked.size
  }

  unmark(ids: Iterable<string> = this.#marked): void {
    for (const id of ids) this.#marked.delete(id)
  }

  /** The selected request stays selected. If it is gone, selects the one at `fallback`: by default, at its position. */
  #arrange(fallback?: number): readonly Group[] {
    if (this.#groups) return this.#groups
    const before = this.#rows.findIndex(({ request }) => request.id === this.#selected)
    if (this.#showsSnoozed && this.snoozedCount === 0) this.#showsSnoozed = false
    const view = () => [...this.#items.values()].filter(item => isSnoozed(item, this.#now()) === this.#showsSnoozed)
    this.#all ??= groupItems(view())
    this.#groups = narrowGroups(this.#all, this.#filter)
    this.#rows = this.#groups.flatMap(({ items }) => items)
    const at = Math.min(fallback ?? Math.max(0, before), this.#rows.length - 1)
    if (!this.#rows.some(({ request }) => request.id === this.#selected))
      this.#selected = this.#rows[at]?.request.id ?? null
    return this.#groups
  }
}
