import type { Action, Edited, Json } from '../protocol/index.ts'

type What = Pick<Action, 'command' | 'tool' | 'input'>

/** An action as a person reads it: the command, or the tool with its input. */
export function actionText(action: What): string {
  return action.command ?? `${action.tool} ${editableText(action)}`
}

/** The part that a person can change: the command, or the input of the tool as JSON. */
export function editableText({ command, input = null }: What): string {
  return command ?? JSON.stringify(input, null, 2)
}

/** A person's version of it; null where it is not what the action takes. */
export function readEdit({ command }: What, text: string): Edited | null {
  if (text.trim() === '') return null
  if (command !== undefined) return { command: text }
  try {
    return { input: JSON.parse(text) as Json }
  } catch {
    return null
  }
}

export function editText(edited: Edited): string {
  return 'command' in edited ? edited.command : JSON.stringify(edited.input, null, 2)
}
