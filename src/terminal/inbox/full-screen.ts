import { openFull, type Screen } from '../screen.ts'
import type { Terminal } from '../terminal.ts'

// Pasting in brackets, as keys.ts turns it on.
const plainPaste = '\x1b[?2004l'

export interface FullScreen extends Screen {
  /** Closes it for good: later frames are not drawn. */
  end(): void
}

/** A screen of its own that comes back with the next frame after it was closed, and is gone however the process ends. */
export function fullScreen(terminal: Terminal): FullScreen {
  let screen: Screen | null = null
  let ended = false
  process.on('exit', onExit)
  return { draw, leave() {}, close, end }

  function draw(frame: Parameters<Screen['draw']>[0]) {
    if (ended) return
    screen ??= openFull(terminal)
    screen.draw(frame)
  }

  function close() {
    screen?.close()
    screen = null
  }

  function end() {
    ended = true
    process.off('exit', onExit)
    close()
  }

  function onExit() {
    if (screen) terminal.output.write(plainPaste)
    close()
  }
}
