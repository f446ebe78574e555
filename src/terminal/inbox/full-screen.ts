import { bracketedPaste } from '../keys.ts'
import { openFull, type Screen } from '../screen.ts'
import type { Terminal } from '../terminal.ts'

export interface FullScreen extends Screen {
  /** Closes the screen for good: later frames are not drawn. */
  end(): void
}

/** The alternate screen. Drawing reopens it after `close`; it is left however the process ends. */
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
    if (screen) terminal.output.write(bracketedPaste.off)
    close()
  }
}
