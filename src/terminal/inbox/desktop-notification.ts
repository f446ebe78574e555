import { spawn } from 'node:child_process'
import type { HubApi } from '../../protocol/hub.ts'
import { cut } from '../../text/width.ts'
import type { Terminal } from '../terminal.ts'
import { followPending } from './follow-pending.ts'
import type { Item } from './item.ts'

// How a person who is looking elsewhere learns that something waits: the bell, and a notification on the desktop, by
// the terminal if it is one of those that can, otherwise by notify-send.

const esc = '\x1b'
const bell = '\x07'
const longest = 100

/** Rings once. Nothing in it can fail, or be waited for. */
export function notify({ output, env }: Terminal, item: Item): void {
  const text = textOf(item)
  output.write(ringing(env, text))
  if (osc(env, text) === '' && (env.DISPLAY || env.WAYLAND_DISPLAY)) sendToDesktop(env, text)
}

/** Rings for whatever comes from now on. */
export function ringForNew(terminal: Terminal, hub: HubApi, signal: AbortSignal): void {
  let atStart = true
  followPending(hub, {
    signal,
    onChange({ arrived }) {
      if (!atStart) for (const item of arrived) notify(terminal, item)
      atStart = false
    },
    // Whoever reads the list is told.
    onTrouble() {},
  })
}

/** What the terminal is sent. Sequences that it might print instead of obey are not sent at all. */
export function ringing(env: NodeJS.ProcessEnv, text: string): string {
  if (!env.TERM || env.TERM === 'dumb') return ''
  const sequence = osc(env, text)
  // tmux keeps sequences to itself unless they are wrapped so, each escape doubled.
  const passed = isTmux(env) && sequence ? `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\` : sequence
  return `${bell}${passed}`
}

export function textOf({ agent, title }: Pick<Item, 'agent' | 'title'>): string {
  // A semicolon would begin the next field; titles are harmless already, but here a mistake would be obeyed.
  return cut(`${agent}: ${title}`.replaceAll(/[;\p{Cc}]/gv, ''), longest)
}

function osc(env: NodeJS.ProcessEnv, text: string): string {
  // Inside of another multiplexer, or of a tmux that does not say that it is one, nobody knows who would get it.
  if (!env.TERM || env.TERM === 'dumb' || env.STY || (env.TMUX && !isTmux(env))) return ''
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL } = env
  const takes9 =
    ['iTerm.app', 'WezTerm'].includes(TERM_PROGRAM) ||
    LC_TERMINAL === 'iTerm2' ||
    TERM === 'xterm-kitty' ||
    Boolean(env.WT_SESSION || env.KITTY_WINDOW_ID || env.WEZTERM_PANE)
  if (takes9) return `${esc}]9;${text}${bell}`
  const takes777 = TERM_PROGRAM === 'ghostty' || /^(rxvt|foot|xterm-ghostty)/.test(TERM) || env.GHOSTTY_RESOURCES_DIR
  return takes777 ? `${esc}]777;notify;Beckon;${text}${bell}` : ''
}

function isTmux({ TERM_PROGRAM }: NodeJS.ProcessEnv): boolean {
  return TERM_PROGRAM === 'tmux'
}

function sendToDesktop(env: NodeJS.ProcessEnv, text: string): void {
  // Desktops read the text as markup.
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const child = spawn('notify-send', ['--app-name=Beckon', '--', 'Beckon', plain], {
    env,
    detached: true,
    stdio: 'ignore',
  })
  // Where there is none, there is none.
  child.on('error', () => {})
  child.unref()
}
