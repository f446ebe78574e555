import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const runFile = promisify(execFile)

// With `min 1` this time has no effect. Programs that read single keys set it to 0, and so tell their modes from ours.
const ourTime = 1
/** A terminal echoes what is written to it and cuts lines at 4,096 bytes; neither suits answers. */
export const prepareTerminal = `PATH="$PATH:/usr/bin:/bin" stty -echo -icanon min 1 time ${ourTime} || exit 126`
// How long a look at the modes counts, in milliseconds: each one starts a process.
const freshFor = 200

/** The modes of a pseudo-terminal, by the path of the agent's end. */
export function createModes(pty: string) {
  let isLooking = false
  let seen = { forKeys: false, at: Number.NEGATIVE_INFINITY }
  return { areForKeys, setLineMode: () => stty('icanon') }

  /** Whether a program has set it up to read single keys. Says no at first and looks, for whoever asks again soon. */
  function areForKeys(): boolean {
    if (performance.now() - seen.at < freshFor) return seen.forKeys
    if (!isLooking) void look()
    return false
  }

  async function look() {
    isLooking = true
    const forKeys = await stty('-a').then(isForKeys, () => false)
    seen = { forKeys, at: performance.now() }
    isLooking = false
  }

  async function stty(option: string): Promise<string> {
    const { stdout } = await runFile('stty', [process.platform === 'linux' ? '-F' : '-f', pty, option])
    return stdout
  }
}

function isForKeys(modes: string): boolean {
  const isOff = (mode: string) => modes.split(/[\s;]+/).includes(`-${mode}`)
  const isOurs = modes.includes(`time = ${ourTime};`) && !isOff('icrnl') && !isOff('isig')
  return isOff('icanon') && !isOurs
}
