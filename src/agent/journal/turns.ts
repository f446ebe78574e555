import type { Entry, EntryOf } from './entries.ts'
import { countingLines } from './lines.ts'

/** A message of a person that the conversation can go back to. */
export interface Turn {
  readonly text: string
  /** As the person saw it. */
  readonly shown: string
  readonly at: string
  /** The conversation before it: how many lines of the journal. */
  readonly line: number
  /** The checkpoint of the files before it; null where none was taken. */
  readonly checkpoint: string | null
}

/** The turns of the conversation, the oldest first. What was said while a question was open belongs to the turn before. */
export function turnsOf(entries: readonly Entry[]): Turn[] {
  const turns: Turn[] = []
  const open = new Set<string>()
  // Messages that came together share a checkpoint, which may be saved after the reply.
  let together = 0
  let before: Entry['type'] = 'conversation'
  for (const { entry, line } of countingLines(entries)) {
    if (entry.type === 'assistant') for (const id of callIdsOf(entry)) open.add(id)
    else if (entry.type === 'result') open.delete(entry.call)
    else if (entry.type === 'user' && open.size === 0) {
      if (before !== 'user') together = turns.length
      turns.push({ text: entry.text, shown: entry.shown ?? entry.text, at: entry.at, line, checkpoint: null })
    } else if (entry.type === 'checkpoint')
      turns.push(...turns.splice(together).map(turn => ({ ...turn, checkpoint: entry.id })))
    before = entry.type
  }
  return turns
}

/** Where a rewind goes: how many lines are kept, and the checkpoint to restore. */
export interface RewindTarget {
  readonly to: number
  readonly checkpoint: string | null
}

/** What brings back the part that the last rewind cut off; null where there was none. */
export function undoOfLastRewind(entries: readonly Entry[]): RewindTarget | null {
  const rewound = entries.findLastIndex(({ type }) => type === 'rewound')
  const entry = entries[rewound]
  if (entry?.type !== 'rewound') return null
  // Its intent is the line before.
  return { to: rewound - 1, checkpoint: entry.before }
}

/** A rewind that a crash cut off between the files and the conversation. */
export function unfinishedRewind(entries: readonly Entry[]): EntryOf<'rewinding'> | null {
  const last = entries.at(-1)
  return last?.type === 'rewinding' ? last : null
}

/** Whether the files are still as they were when the person wrote the last message, and not saved yet. */
export function needsCheckpoint(entries: readonly Entry[]): boolean {
  const last = countingLines(entries).findLast(({ entry }) => /^(user|assistant|checkpoint)$/.test(entry.type))
  return last?.entry.type === 'user'
}

function callIdsOf({ content }: EntryOf<'assistant'>): string[] {
  return content.flatMap(({ type, toolCallId }) => (type === 'tool-call' ? [String(toolCallId)] : []))
}
