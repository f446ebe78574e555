import type { Conversation } from './conversation.ts'
import { needsCheckpoint, type RewindTarget, unfinishedRewind } from './journal/turns.ts'
import type { EventWithoutPath } from './tool-context.ts'

/** Saves the files of the workspace, and restores them. */
export interface FileCheckpoints {
  /** The id of a new checkpoint; null where the files cannot be saved. */
  save(note: string): Promise<string | null>
  /** The names of the files that it changed. */
  restore(checkpoint: string): Promise<{ readonly restored: readonly string[]; readonly removed: readonly string[] }>
}

/**
 * A checkpoint of the files for each message of a person, and the way back to it. The intent of a rewind is on the disk
 * before any file changes: after a crash in the middle, the next process finishes it.
 */
export class TurnCheckpoints {
  readonly #conversation: Conversation
  readonly #files: FileCheckpoints | null
  readonly #emit: (event: EventWithoutPath) => void
  #saving: Promise<void> = Promise.resolve()

  constructor(conversation: Conversation, files: FileCheckpoints | null, emit: (event: EventWithoutPath) => void) {
    this.#conversation = conversation
    this.#files = files
    this.#emit = emit
  }

  /** Begins to save the files, unless they were changed since the person's message. */
  beginTurn(): void {
    this.#saving = this.#saveFiles().catch(() => {})
  }

  /** Nothing is changed before it is taken. */
  taken(): Promise<void> {
    return this.#saving
  }

  async rewind({ to, checkpoint }: RewindTarget): Promise<void> {
    const before = (await this.#files?.save('Before a rewind')) ?? null
    this.#conversation.append({ type: 'rewinding', to, checkpoint, before })
    await this.#finish({ to, checkpoint, before })
  }

  /** After a start: finishes the rewind that a crash cut off. One that is no longer possible is given up. */
  async finishRewind(): Promise<void> {
    const unfinished = unfinishedRewind(this.#conversation.entries)
    if (unfinished) await this.#finish(unfinished).catch(() => {})
  }

  async #finish({ to, checkpoint, before }: RewindTarget & { before: string | null }): Promise<void> {
    const conversation = this.#conversation
    try {
      const went = checkpoint === null ? null : await this.#files?.restore(checkpoint)
      conversation.append({ type: 'rewound', to, before })
      this.#emit({ type: 'rewound', restored: went?.restored ?? [], removed: went?.removed ?? [], before })
    } catch (error) {
      // Back to just before the intent: nothing is cut off.
      conversation.append({ type: 'rewound', to: conversation.entries.length - 1, before })
      throw error
    }
  }

  async #saveFiles(): Promise<void> {
    const { history, entries } = this.#conversation
    if (!this.#files || history.openCalls().length > 0 || !needsCheckpoint(entries)) return
    const [text = ''] = history.personMessages.at(-1)?.text.trim().split('\n') ?? []
    const id = await this.#files.save(`Before: ${text.slice(0, 200)}`)
    if (id !== null) this.#conversation.append({ type: 'checkpoint', id })
  }
}
