import { isRich, type Terminal } from '../terminal.ts'
import { type Entered, type LineInput, readLine } from './line-input.ts'
import { openPlainView, readPlainLine } from './plain.ts'
import { readAhead } from './read-ahead.ts'
import { type ConversationView, openRichView } from './view.ts'

/** A conversation with an agent: drawn in frames, or in plain lines for screen readers and dumb terminals. */
export interface Conversation {
  readonly isPlain: boolean
  readonly view: ConversationView
  readLine(input: Omit<LineInput, 'terminal'>): Promise<Entered>
  /** Listens for an interrupt while the agent works. `take` returns what was typed meanwhile, if that can be read. */
  listen(onInterrupt: () => void): { start(): void; stop(): void; take(): string }
}

export function openConversation(terminal: Terminal, plain: boolean): Conversation {
  if (plain || !isRich(terminal)) {
    return {
      isPlain: true,
      view: openPlainView(terminal),
      readLine: input => readPlainLine(terminal, input),
      listen: listenForSignal,
    }
  }
  return {
    isPlain: false,
    view: openRichView(terminal),
    readLine: input => readLine({ terminal, ...input }),
    listen: onInterrupt => readAhead(terminal, onInterrupt),
  }
}

function listenForSignal(onInterrupt: () => void) {
  return {
    start: () => process.on('SIGINT', onInterrupt),
    stop: () => process.off('SIGINT', onInterrupt),
    take: () => '',
  }
}
