import { isRich, type Terminal } from '../terminal.ts'
import { openLiveScreen } from './live-screen.ts'
import { openPlainView } from './plain-view.ts'
import type { ConversationView } from './view.ts'

/** What an agent does, without a box to write in. */
export interface ProgressView {
  readonly isPlain: boolean
  readonly view: ConversationView
  show(): void
  /** Makes room for something else, such as a prompt. */
  hide(leaving?: { gap?: boolean }): void
  close(): void
}

export function openProgressView(terminal: Terminal, plain: boolean): ProgressView {
  if (plain || !isRich(terminal)) {
    return {
      isPlain: true,
      view: openPlainView(
        lines => terminal.output.write(lines),
        () => {},
      ),
      show() {},
      hide() {},
      close() {},
    }
  }
  const { transcript, show, hide, close } = openLiveScreen(terminal, { stopKey: 'Ctrl-C' })
  return { isPlain: false, view: transcript, show, hide, close }
}
