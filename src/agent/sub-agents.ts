import { basename, join } from 'node:path'
import type { Request } from '../protocol/request.ts'
import type { TurnResult } from './events.ts'
import type { Entry, Usage } from './journal/entries.ts'
import { journalIn } from './journal/folder.ts'
import type { Call } from './journal/history.ts'
import { readEntries } from './journal/journal.ts'
import type { Recorded } from './journal/replay.ts'
import type { AgentOptions, TurnOptions } from './options.ts'

/** An agent as its parent sees it. */
interface SubAgent {
  runTurn(text: string, options: TurnOptions): Promise<TurnResult>
  isEmpty(): boolean
  getPendingQuestions(): readonly Request[]
  status(): { usage: Usage; isEstimated: boolean }
  close(): void
}

/** The agents that this one handed work to, by the call that did it. */
export class SubAgents {
  readonly #open: (options: AgentOptions) => Promise<SubAgent>
  readonly #options: () => AgentOptions
  readonly #parent: { readonly id: string; readonly folder: string }
  readonly #children = new Map<string, SubAgent>()

  constructor(
    open: (options: AgentOptions) => Promise<SubAgent>,
    options: () => AgentOptions,
    parent: { readonly id: string; readonly folder: string },
  ) {
    this.#open = open
    this.#options = options
    this.#parent = parent
  }

  /** Starts the sub-agent's turn, or continues it where it was. */
  async runTurn(call: Call, task: { name: string; prompt: string }, options: TurnOptions): Promise<TurnResult> {
    const child = await this.open(call, task.name)
    return child.runTurn(child.isEmpty() ? task.prompt : '', options)
  }

  /** The sub-agent of this call, opened if need be. */
  async open(call: Call, name: string): Promise<SubAgent> {
    const known = this.#children.get(call.id)
    if (known) return known
    const { files: _, ...options } = this.#options()
    const { path = ['main'] } = options
    const folder = folderOfSubAgent(this.#parent, call.id)
    const child = await this.#open({ ...options, folder, path: [...path, name] })
    this.#children.set(call.id, child)
    return child
  }

  addUsage(total: Usage): void {
    for (const child of this.#children.values()) {
      const { usage } = child.status()
      for (const kind of Object.keys(total) as (keyof Usage)[]) total[kind] += usage[kind]
    }
  }

  isEstimated(): boolean {
    return [...this.#children.values()].some(child => child.status().isEstimated)
  }

  close(): void {
    for (const child of this.#children.values()) child.close()
  }
}

/** The folder's name is also the conversation's id, so it carries the parents' ids to be unique. */
function folderOfSubAgent({ id, folder }: { id: string; folder: string }, call: string): string {
  return join(folder, 'sub', `${id}-${call.replaceAll(/[^\w.-]/g, '_').slice(-60)}`)
}

/** What the journals have of a conversation and of its sub-agents. */
export function recordedIn(parent: { id: string; folder: string }, entries: readonly Entry[]): Recorded {
  return {
    entries,
    subAgentOf(call) {
      const folder = folderOfSubAgent(parent, call)
      try {
        return recordedIn({ id: basename(folder), folder }, readEntries(journalIn(folder)).entries)
      } catch {
        // There is none, or it cannot be read.
        return null
      }
    },
  }
}
