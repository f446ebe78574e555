import { isRich, type Terminal } from '../terminal.ts'
import { type Entered, type LineInput, readLine } from './line-input.ts'
import { openPlainConversation, readPlainLine } from './plain.ts'
import { readAhead } from './read-ahead.ts'
import { type ConversationView, openConversation } from './view.ts'

/** How a conversation looks: frames that move, or lines for screen readers and dumb terminals. */
export interface Skin {
  readonly isPlain: boolean
  readonly view: ConversationView
  readLine(input: Omit<LineInput, 'terminal'>): Promise<Entered>
  /** Listens for an interruption while the agent works. What is typed meanwhile is there afterwards, where that can be. */
  listen(onInterrupt: () => void): { start(): void; stop(): void; take(): string }
}

export function skinFor(terminal: Terminal, plain: boolean): Skin {
  if (plain || !isRich(terminal)) {
    return {
      isPlain: true,
      view: openPlainConversation(terminal),
      readLine: input => readPlainLine(terminal, input),
      listen: listenForSignal,
    }
  }
  return {
    isPlain: false,
    view: openConversation(terminal),
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
