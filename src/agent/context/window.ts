import type { Conversation } from '../conversation.ts'
import type { ChosenModel } from '../model/choose.ts'
import type { EventWithoutPath } from '../tool-context.ts'
import { summarise } from './summarise.ts'
import { contextTokens } from './tokens.ts'

const nearLimit = 0.8

interface ContextWindowOptions {
  readonly conversation: Conversation
  model(): ChosenModel
  /** In tokens. */
  readonly limit: number
  /** What every request carries besides the conversation, in tokens. */
  fixed(): number
  emit(event: EventWithoutPath): void
}

/** How much of the conversation the model can read, and what makes room when it is full. */
export class ContextWindow {
  readonly #options: ContextWindowOptions
  #announcedNearLimit = false

  constructor(options: ContextWindowOptions) {
    this.#options = options
  }

  get tokens(): number {
    return this.size().tokens
  }

  /** How full it is, and whether the provider counted that. */
  size(): { tokens: number; counted: boolean } {
    return contextTokens(this.#options.conversation.history, this.#options.fixed())
  }

  /** Announces once that the window is nearly full, and summarises when it is. */
  async makeRoom(signal: AbortSignal): Promise<void> {
    const { limit, emit } = this.#options
    const { tokens } = this
    const isNear = tokens >= limit * nearLimit
    if (isNear && !this.#announcedNearLimit) emit({ type: 'context', tokens, limit })
    this.#announcedNearLimit = isNear
    if (tokens >= limit) await this.compact(signal)
  }

  /** False when there is nothing to summarise yet, or the signal stopped it. */
  async compact(signal: AbortSignal, keep = ''): Promise<boolean> {
    const { conversation, model, limit, emit } = this.#options
    const { history, file: journal } = conversation
    emit({ type: 'compacting' })
    const summary = await summarise({ history, model: await model().load(), limit, journal, signal, keep })
    if (!summary) return false
    conversation.append({ type: 'compacted', ...summary })
    emit({ type: 'compacted', tokens: this.tokens })
    return true
  }
}
