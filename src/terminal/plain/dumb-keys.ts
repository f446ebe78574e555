import type { Interface, Key } from 'node:readline'
import { widthOf } from '../../text/width.ts'
import { before, spaceBefore } from '../editor-moves.ts'
import { setRawMode } from '../raw-mode.ts'
import type { Terminal } from '../terminal.ts'

// Without job control nothing stops us, and nothing would continue us.
const continueAfter = 200

/**
 * On a dumb terminal, readline knows Enter, Ctrl-C and Ctrl-D, and takes every other key for text. Adds the keys that
 * the terminal itself has while nobody reads single keys: Backspace, Ctrl-W, Ctrl-U and Ctrl-Z.
 */
export function addDumbKeys(reader: Interface, input: Terminal['input'], show: (text: string) => void): () => void {
  let forgetStop = () => {}
  // After readline, which has added the key to the line.
  input.on('keypress', onKey)
  return () => {
    forgetStop()
    input.off('keypress', onKey)
  }

  function onKey(_: string | undefined, key: Key) {
    const text = withoutControls(reader.line)
    if (text === reader.line) return
    const rest = text.slice(0, endAfter(key, text))
    Object.assign(reader, { line: rest, cursor: rest.length })
    show('\b \b'.repeat(widthOf(text) - widthOf(rest)))
    if (key.ctrl && key.name === 'z') suspend()
  }

  function suspend() {
    const timer = setTimeout(goOn, continueAfter)
    process.on('SIGCONT', goOn)
    forgetStop = () => {
      clearTimeout(timer)
      process.off('SIGCONT', goOn)
    }
    setRawMode(input, false)
    // The whole process group, as the terminal would.
    process.kill(0, 'SIGTSTP')
  }

  function goOn() {
    forgetStop()
    setRawMode(input, true)
    show(reader.line)
  }
}

/** Control characters, except for tabs. */
export function withoutControls(text: string): string {
  return text.replaceAll(/[^\P{Cc}\t]/gu, '')
}

function endAfter({ name, ctrl }: Key, text: string): number {
  if (name === 'backspace') return before(text, text.length)
  if (ctrl && name === 'w') return spaceBefore(text, text.length)
  return ctrl && name === 'u' ? 0 : text.length
}
