import type { AgentInput } from '../../supervisor/context.ts'
import type { RunSettings } from '../../supervisor/settings.ts'
import { setRawMode } from '../../terminal/raw-mode.ts'
import type { Context } from '../context.ts'

// Ctrl-C, Ctrl-Z and Ctrl-\: a terminal turns them into signals, whether the agent waits for input or not.
const interrupts = ['\x03', '\x1a', '\x1c']

/**
 * Where the keys at the terminal of `beckon run` go: to the agent, to somebody here who diverts them, or to neither while
 * a prompt reads them. An agent on a pseudo-terminal gets every key as it is, Ctrl-C too, and the size of the window. The
 * end of the input is passed on only with `--stdin inherit`.
 */
export function createTyping(
  { stdin, stderr }: Context,
  { stdin: how, pty }: Pick<RunSettings, 'stdin' | 'pty'>,
  onDropped: (typed: Buffer) => void,
) {
  let input: AgentInput | null = null
  let reader: ((bytes: Buffer) => void) | null = null
  const isKeyboard = stdin.isTTY === true
  const isRaw = Boolean(pty) && how !== 'none' && isKeyboard
  const onEnd = () => how === 'inherit' && input?.end()
  const onResize = () => stderr.columns && stderr.rows && input?.resize({ columns: stderr.columns, rows: stderr.rows })
  if (pty) stderr.on('resize', onResize)
  return { isKeyboard, attach, toAgent, divert, stop, takeBack, close }

  function attach(to: AgentInput) {
    input = to
  }

  function toAgent() {
    if (how === 'none') return stop()
    read(isRaw ? passKeys : isKeyboard ? bytes => input?.type(bytes) : bytes => input?.pipe(bytes))
    if (isRaw) setRawMode(stdin, true)
  }

  /** Hands over each line instead. Ctrl-C interrupts us: a stopped agent could not react to it. */
  function divert(onLine: (bytes: Buffer) => void) {
    read(onLine)
  }

  function stop() {
    if (reader === null) return
    stdin.off('data', reader)
    stdin.off('end', onEnd)
    reader = null
    if (isRaw) setRawMode(stdin, false)
    stdin.pause()
  }

  function read(by: (bytes: Buffer) => void) {
    stop()
    reader = by
    stdin.on('data', by)
    stdin.on('end', onEnd)
    stdin.resume()
  }

  /** As on any terminal, an interrupt drops what was typed before it. */
  function passKeys(bytes: Buffer) {
    const keys = bytes.toString('latin1')
    const at = Math.max(...interrupts.map(key => keys.lastIndexOf(key)))
    if (at < 0) return input?.type(bytes)
    input?.type(bytes.subarray(0, at))
    void takeBack().then(onDropped)
    input?.press(bytes.subarray(at, at + 1))
    input?.type(bytes.subarray(at + 1))
  }

  /** What was typed and has not reached the agent. */
  async function takeBack(): Promise<Buffer> {
    return isKeyboard && input ? input.takeBack() : Buffer.alloc(0)
  }

  function close() {
    stop()
    stderr.off('resize', onResize)
  }
}
