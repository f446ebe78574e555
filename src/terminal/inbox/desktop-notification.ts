import { spawn } from 'node:child_process'
import { cut } from '../../text/width.ts'
import type { Terminal } from '../terminal.ts'
import type { Item } from './item.ts'

const esc = '\x1b'
const bell = '\x07'
const longest = 100

/**
 * Tells a person who is looking elsewhere that a request is waiting: rings the bell, and shows a desktop notification
 * through the terminal if it can, otherwise through notify-send. Never fails and never blocks.
 */
export function notify({ output, env }: Terminal, item: Item): void {
  const text = notificationText(item)
  output.write(notificationSequence(env, text))
  if (osc(env, text) === '' && (env.DISPLAY || env.WAYLAND_DISPLAY)) sendToDesktop(env, text)
}

/** The bell and, if the terminal is known to support it, the escape sequence of a notification. */
export function notificationSequence(env: NodeJS.ProcessEnv, text: string): string {
  if (!env.TERM || env.TERM === 'dumb') return ''
  const sequence = osc(env, text)
  // tmux passes sequences on only if they are wrapped like this, with each escape doubled.
  const wrapped = isTmux(env) && sequence ? `${esc}Ptmux;${sequence.replaceAll(esc, esc + esc)}${esc}\\` : sequence
  return `${bell}${wrapped}`
}

export function notificationText({ agent, title }: Pick<Item, 'agent' | 'title'>): string {
  // A semicolon would start the next field of the sequence. Titles are already harmless; this is a second barrier.
  return cut(`${agent}: ${title}`.replaceAll(/[;\p{Cc}]/gv, ''), longest)
}

function osc(env: NodeJS.ProcessEnv, text: string): string {
  // Inside screen, or a tmux that does not identify itself, we cannot know which terminal would get the sequence.
  if (!env.TERM || env.TERM === 'dumb' || env.STY || (env.TMUX && !isTmux(env))) return ''
  const { TERM = '', TERM_PROGRAM = '', LC_TERMINAL } = env
  const supportsOsc9 =
    ['iTerm.app', 'WezTerm'].includes(TERM_PROGRAM) ||
    LC_TERMINAL === 'iTerm2' ||
    TERM === 'xterm-kitty' ||
    Boolean(env.WT_SESSION || env.KITTY_WINDOW_ID || env.WEZTERM_PANE)
  if (supportsOsc9) return `${esc}]9;${text}${bell}`
  const supportsOsc777 =
    TERM_PROGRAM === 'ghostty' || /^(rxvt|foot|xterm-ghostty)/.test(TERM) || env.GHOSTTY_RESOURCES_DIR
  return supportsOsc777 ? `${esc}]777;notify;Beckon;${text}${bell}` : ''
}

function isTmux({ TERM_PROGRAM }: NodeJS.ProcessEnv): boolean {
  return TERM_PROGRAM === 'tmux'
}

function sendToDesktop(env: NodeJS.ProcessEnv, text: string): void {
  // Desktops interpret the text as markup.
  const plain = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  const child = spawn('notify-send', ['--app-name=Beckon', '--', 'Beckon', plain], {
    env,
    detached: true,
    stdio: 'ignore',
  })
  // notify-send may not be installed.
  child.on('error', () => {})
  child.unref()
}
