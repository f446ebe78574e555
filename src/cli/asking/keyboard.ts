import { closeSync, openSync } from 'node:fs'
import { ReadStream } from 'node:tty'

const path = '/dev/tty'

/** Whether this process has a terminal of its own, whatever its stdin is. */
export function canOpenKeyboard(): boolean {
  try {
    closeSync(openSync(path, 'r'))
    return true
  } catch {
    return false
  }
}

/** The keyboard of this process's terminal, for a command that has read its input from stdin. */
export function openKeyboard(): ReadStream {
  const keyboard = new ReadStream(openSync(path, 'r'))
  // A signal reports a closed terminal.
  keyboard.on('error', () => {})
  return keyboard
}
