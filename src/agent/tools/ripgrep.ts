import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface Found {
  readonly lines: string[]
  /** There are more lines than the limit. */
  readonly more: boolean
  readonly problem: string | null
}

/** Runs ripgrep, and stops it at the limit. */
export async function ripgrep(
  args: readonly string[],
  cwd: string,
  limit: number,
  signal: AbortSignal,
): Promise<Found> {
  const { rgPath } = await import('@vscode/ripgrep')
  const child = spawn(rgPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
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
