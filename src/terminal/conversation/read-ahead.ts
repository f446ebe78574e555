import { edit, editorOf } from '../editor.ts'
import { type Key, readKeys } from '../keys.ts'
import type { Terminal } from '../terminal.ts'

/** Reads keys while something else is on the screen: Ctrl-C interrupts, the rest is kept for the next input. */
export function readAhead(terminal: Terminal, onInterrupt: () => void) {
  let editor = editorOf('')
  let stopKeys: (() => void) | null = null
  return { start, stop, take }

  function start() {
    stopKeys ??= readKeys(terminal, onKey, onInterrupt)
  }

  function stop() {
    stopKeys?.()
    stopKeys = null
  }

  /** Returns what was typed meanwhile. */
  function take(): string {
    const { text } = editor
    editor = editorOf('')
    return text
  }

  function onKey(key: Key) {
    if (key.ctrl && key.name === 'c' && !key.pasted) onInterrupt()
    else editor = edit(editor, key) ?? editor
  }
}
