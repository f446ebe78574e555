import { harmlessLines } from '../../text/harmless.ts'
import { openLines } from '../plain/read-lines.ts'
import type { Terminal } from '../terminal.ts'
import { lockTerminal } from '../terminal-lock.ts'
import type { Entered, LineInput } from './line-input.ts'
import type { ConversationView } from './view.ts'

/** The conversation in plain lines: nothing is redrawn or removed. */
export function openPlainView({ output }: Terminal): ConversationView {
  const titles = new Map<string, string>()
  let pending = ''
  return {
    say(text) {
      pending += text
      // Only whole lines, for screen readers.
      const end = pending.lastIndexOf('\n') + 1
      if (end > 0) output.write(harmlessLines(pending.slice(0, end)))
      pending = pending.slice(end)
    },
    discardReply() {
      pending = ''
    },
    endReply() {
      if (pending !== '') write(pending)
      pending = ''
    },
    begin(id, title) {
      titles.set(id, title)
      write(`Started: ${title}`)
    },
    progress() {},
    end(id, { lines, failed }) {
      write(`${failed ? 'Failed' : 'Done'}: ${titles.get(id) ?? id}`)
      for (const line of lines) write(`  ${line}`)
      titles.delete(id)
    },
    note: text => write(text),
    work() {},
    suspend() {},
    resume() {},
  }

  function write(text: string) {
    output.write(`${harmlessLines(text)}\n`)
  }
}

export async function readPlainLine(
  terminal: Terminal,
  { hint, signal }: Omit<LineInput, 'terminal'>,
): Promise<Entered> {
  const unlock = await lockTerminal(terminal, signal)
  if (!unlock) return null
  const lines = await openLines(terminal, signal)
  try {
    for (;;) {
      const line = await lines.next(`(${hint})\n> `)
      if (line === null) return signal.aborted ? null : 'leave'
      if (line.text.trim() !== '') return { text: line.text }
    }
  } finally {
    await lines.close()
    unlock()
  }
}
