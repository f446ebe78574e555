import { execFile } from 'node:child_process'
import { harmlessTitle } from '../../text/harmless.ts'

interface Program {
  program: string
  args: string[]
  input?: string
  env?: Record<string, string>
}

/** Returns what it printed; throws with what it said otherwise. */
export type RunProgram = (program: Program) => Promise<string>

const timeout = 10_000

/** Without a shell, so that no text becomes a command. */
export function runProgram(env: NodeJS.ProcessEnv): RunProgram {
  return ({ program, args, input = '', env: more = {} }) =>
    new Promise((resolve, reject) => {
      const options = { env: { ...env, ...more }, timeout, maxBuffer: 64_000, windowsHide: true }
      const child = execFile(program, args, options, (error, stdout, stderr) => {
        if (error) reject(new Error(describe(program, error, stderr)))
        else resolve(stdout)
      })
      // It may end before it read its input.
      child.stdin?.on('error', () => {})
      child.stdin?.end(input)
    })
}

function describe(program: string, error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.code === 'ENOENT') return `${program} is not installed`
  if (error.killed) return `${program} did not end within ${timeout / 1_000} seconds`
  return `${program} failed: ${harmlessTitle(stderr).slice(0, 300) || `exit code ${error.code}`}`
}
