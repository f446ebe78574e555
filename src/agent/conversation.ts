import { basename } from 'node:path'
import { loadImage } from './images/store.ts'
import type { Entry, NewEntry } from './journal/entries.ts'
import { journalIn, newConversationFolder } from './journal/folder.ts'
import { History } from './journal/history.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { lockFolder } from './journal/lock.ts'

export interface ConversationOptions {
  readonly home: string
  readonly cwd: string
  readonly mode: 'agent' | 'chat'
  /** The names of the agents from the main one to this one. */
  readonly path: readonly string[]
  readonly run: string | null
  /** The conversation to continue; without it, a new one starts. */
  readonly folder?: string | undefined
  readonly now: () => number
}

/** A conversation on the disk, and its history in memory. */
export class Conversation {
  readonly folder: string
  #entries: Entry[] = []
  #history: History
  readonly #journal: Journal
  readonly #unlock: () => void
  #isOpen = true

  constructor({ home, cwd, mode, path, run, folder, now }: ConversationOptions) {
    this.folder = folder ?? newConversationFolder(home, now())
    // A sub-agent's folder is inside its parent's, which is locked already.
    this.#unlock = path.length > 1 ? () => {} : lockFolder(this.folder)
    try {
      const { journal, entries } = openJournal(journalIn(this.folder), now)
      this.#journal = journal
      this.#entries = entries
      this.#history = this.#read()
    } catch (error) {
      this.#unlock()
      throw error
    }
    if (this.history.conversation === null) {
      const id = basename(this.folder)
      this.append({ type: 'conversation', version: 1, id, mode, cwd, path: [...path], run })
    }
  }

  get id(): string {
    return this.history.conversation?.id ?? basename(this.folder)
  }

  get file(): string {
    return this.#journal.file
  }

  /** After a rewind this is another one. */
  get history(): History {
    return this.#history
  }

  /** Every line of the journal, those too that a rewind cut off. */
  get entries(): readonly Entry[] {
    return this.#entries
  }

  append(entry: NewEntry): void {
    const dated = this.#journal.append(entry)
    this.#entries.push(dated)
    if (dated.type === 'rewound') this.#history = this.#read()
    else this.#history.add(dated)
  }

  #read(): History {
    return new History(this.#entries, image => loadImage(this.folder, image))
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#journal.close()
    this.#unlock()
  }
}
