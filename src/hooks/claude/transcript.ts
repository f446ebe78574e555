import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Json } from '../../protocol/canonical-json.ts'
import { contentOf } from '../open-calls.ts'

// Claude writes its conversation into a file, one JSON document per line. When the result of a call appears there, somebody
// answered the dialog in the terminal. The format is Claude's own and may change: it is a hint, and what it does not say
// settles nothing.

const lookEvery = 500
const mostBytes = 4 * 1_048_576

/**
 * Looks at the transcript now, before anything is asked. What it returns resolves once every open call of this tool with
 * this input has its result; never where the transcript does not say so.
 */
export function watchTranscript(
  path: string | undefined,
  call: { tool: string; input: Json },
): (signal: AbortSignal) => Promise<void> {
  const content = contentOf(call)
  const open = new Set<string>()
  let wasOpen = false
  let end: number | null = null
  look()
  return resultAppears

  async function resultAppears(signal: AbortSignal): Promise<void> {
    while (path !== undefined && !signal.aborted) {
      look()
      if (wasOpen && open.size === 0) return
      await sleep(lookEvery, null, { signal }).catch(() => {})
    }
    await new Promise<never>(() => {})
  }

  function look() {
    const news = path === undefined ? null : readSince(path, end)
    if (news === null) return
    const isFirst = end === null
    end = news.end
    for (const part of news.text.split('\n').flatMap(partsOf)) take(part, isFirst)
    wasOpen ||= open.size > 0
  }

  /** What the first look finds done was another call: this one has only begun. */
  function take(part: Part, isFirst: boolean) {
    if (part.type === 'tool_result') open.delete(String(part.tool_use_id))
    if (part.type !== 'tool_use' || contentOf({ tool: String(part.name), input: part.input ?? null }) !== content)
      return
    open.add(String(part.id))
    wasOpen ||= !isFirst
  }
}

interface Part {
  readonly type?: string
  readonly id?: Json
  readonly name?: Json
  readonly input?: Json
  readonly tool_use_id?: Json
}

/** The parts of a message; nothing for a line that is something else. */
function partsOf(line: string): Part[] {
  if (!line.includes('"tool_')) return []
  try {
    const parts: unknown = JSON.parse(line)?.message?.content
    return Array.isArray(parts) ? parts.filter(part => typeof part === 'object' && part !== null) : []
  } catch {
    return []
  }
}

/** What was added since; at first the end of the file. Null where nothing can be read. */
function readSince(path: string, since: number | null): { text: string; end: number } | null {
  try {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      const from = Math.max(since ?? 0, size - mostBytes)
      const bytes = Buffer.alloc(Math.max(0, size - from))
      const length = readSync(file, bytes, 0, bytes.length, from)
      // A line may be half written: it is read again as a whole.
      const whole = bytes.lastIndexOf('\n', length) + 1
      return { text: bytes.toString('utf8', 0, whole), end: from + whole }
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
