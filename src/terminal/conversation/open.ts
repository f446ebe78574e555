import { isRich, type Terminal } from '../terminal.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'
import { openPlainConversation } from './plain.ts'
import { type Printer, printInLines, printInTranscript } from './print.ts'
import { openRichConversation } from './rich.ts'

export function openConversation(
  terminal: Terminal,
  plain: boolean,
  options: ConversationOptions,
): Conversation & { readonly print: Printer } {
  if (plain || !isRich(terminal)) {
    const conversation = openPlainConversation(terminal, options)
    return { ...conversation, print: printInLines(terminal, conversation.view) }
  }
  const conversation = openRichConversation(terminal, options)
  return { ...conversation, print: printInTranscript(terminal, conversation.view) }
}
