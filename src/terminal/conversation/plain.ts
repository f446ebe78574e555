import { harmlessLines } from '../../text/harmless.ts'
import { openLines } from '../plain/read-lines.ts'
import type { Terminal } from '../terminal.ts'
import { takeTurn } from '../terminal-lock.ts'
import type { Entered, LineInput } from './line-input.ts'
import type { ConversationView } from './view.ts'

/** The conversation in lines: nothing moves, nothing is taken back. */
export function openPlainConversation({ output }: Terminal): ConversationView {
  const titles = new Map<string, string>()
  let said = ''
  return {
    say(text) {
      said += text
      // Line by line, so that a screen reader reads whole lines.
      const end = said.lastIndexOf('\n') + 1
      if (end > 0) output.write(harmlessLines(said.slice(0, end)))
      said = said.slice(end)
    },
    unsay() {
      said = ''
    },
    endReply() {
      if (said !== '') write(said)
      said = ''
    },
    begin(id, title) {
      titles.set(id, title)
      write(`Begins: ${title}`)
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
  const endTurn = await takeTurn(terminal, signal)
  if (!endTurn) return null
  const lines = await openLines(terminal, signal)
  try {
    for (;;) {
      const line = await lines.next(`(${hint})\n> `)
      if (line === null) return signal.aborted ? null : 'leave'
      if (line.text.trim() !== '') return { text: line.text }
    }
  } finally {
    await lines.close()
    endTurn()
  }
}
