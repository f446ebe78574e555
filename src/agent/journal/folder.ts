import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type ConversationEntry, entrySchema } from './entries.ts'
import { readEntries } from './journal.ts'

// BECKON_HOME/agent/<conversation>/journal.jsonl; results/ has long outputs in full, sub/ the conversations of
// sub-agents.

export interface Conversation extends ConversationEntry {
  readonly folder: string
  readonly usedAt: number
}

export function agentFolder(home: string): string {
  return join(home, 'agent')
}

export function journalIn(folder: string): string {
  return join(folder, 'journal.jsonl')
}

/** A new folder, whose name sorts by creation. */
export function newConversationFolder(home: string, now: number): string {
  const stamp = new Date(now).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '')
  const folder = join(agentFolder(home), `${stamp}-${randomBytes(4).toString('hex')}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}

/** The conversations of this directory that were not reset, the most recently used first. */
export function conversationsIn(home: string, cwd: string, mode: ConversationEntry['mode']): Conversation[] {
  return allConversations(home, mode).filter(one => one.cwd === cwd && !readConversation(one.folder).isClosed)
}

/** Those of every directory, also those that were reset. */
export function allConversations(home: string, mode: ConversationEntry['mode']): Conversation[] {
  return foldersIn(agentFolder(home))
    .flatMap(folder => describe(folder) ?? [])
    .filter(one => one.mode === mode)
    .sort((a, b) => b.usedAt - a.usedAt)
}

/** What the journal says about it beyond its first line. A damaged one is not read further. */
export function readConversation(folder: string): { title: string; model: string | null; isClosed: boolean } {
  const { entries } = readEntries(journalIn(folder))
  const said = entries.find(({ type }) => type === 'user')
  const chosen = entries.findLast(({ type }) => type === 'model')
  return {
    title: said?.type === 'user' ? (said.shown ?? said.text) : '',
    model: chosen?.type === 'model' ? chosen.model : null,
    isClosed: entries.some(({ type }) => type === 'closed'),
  }
}

function foldersIn(parent: string): string[] {
  try {
    return readdirSync(parent, { withFileTypes: true }).flatMap(item =>
      item.isDirectory() ? [join(parent, item.name)] : [],
    )
  } catch {
    return []
  }
}

const maxFirstLine = 64 * 1_024

function describe(folder: string): Conversation | null {
  try {
    const file = journalIn(folder)
    const buffer = Buffer.alloc(maxFirstLine)
    const fd = openSync(file, 'r')
    const length = readSync(fd, buffer, 0, maxFirstLine, 0)
    closeSync(fd)
    const entry = entrySchema.parse(JSON.parse(buffer.toString('utf8', 0, buffer.subarray(0, length).indexOf('\n'))))
    return entry.type === 'conversation' ? { ...entry, folder, usedAt: statSync(file).mtimeMs } : null
  } catch {
    return null
  }
}
