import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { distFile } from '../../system/programs.ts'

export interface Found {
  readonly lines: string[]
  /** There are more lines than the limit. */
  readonly more: boolean
  readonly problem: string | null
}

/** Runs ripgrep, or our own search where it is not installed, and stops it at the limit. */
export async function ripgrep(
  args: readonly string[],
  cwd: string,
  limit: number,
  signal: AbortSignal,
): Promise<Found> {
  const [program = '', ...first] = searchProgram()
  const child = spawn(program, [...first, ...args], { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  const closed = once(child, 'close')
  let out = ''
  let problem = ''
  let count = 0
  // Neither stream is there where ripgrep could not be started for want of descriptors.
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (count > limit) return
    out += chunk
    count += chunk.split('\n').length - 1
    if (count > limit) stop()
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    problem = (problem + chunk).slice(0, 2_000)
  })
  try {
    const [code] = await closed
    const lines = out.split('\n').filter(line => line !== '')
    return {
      lines: lines.slice(0, limit),
      more: lines.length > limit,
      problem: code === 2 && lines.length === 0 ? problem.trim() : null,
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

// Where package managers install it. Not by PATH: under npx, that begins in the workspace, where the agent can write.
const places = ['/usr/bin/rg', '/usr/local/bin/rg', '/opt/homebrew/bin/rg', '/home/linuxbrew/.linuxbrew/bin/rg']

function searchProgram(): string[] {
  const installed = places.find(place => existsSync(place))
  return installed ? [installed, '--no-config'] : [process.execPath, distFile('agent', 'tools', 'search', 'main.js')]
}
