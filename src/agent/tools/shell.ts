import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { StringDecoder } from 'node:string_decoder'
import { findProgram } from '../../approval/facts/programs.ts'
import type { Output } from './tool.ts'

interface Shell {
  readonly command: string
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly outputFile: string
}

interface Foreground extends Shell {
  readonly timeout: number
  readonly signal: AbortSignal
  onOutput(text: string): void
}

// Of longer output, this much of the head and of the tail is kept.
const maxKept = 5_000_000

/** Runs until it ends, the time is up or the signal aborts; the last two kill its whole process group. */
export async function runShell({ command, cwd, env, timeout, signal, onOutput }: Foreground): Promise<Output> {
  const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']
  const child = spawn(bashOf(cwd, env), shellArguments(command), { argv0: 'bash', cwd, env, detached: true, stdio })
  let kept = ''
  let dropped = 0
  for (const stream of [child.stdout, child.stderr]) {
    const decoder = new StringDecoder('utf8')
    // There is none where the shell could not be started for want of descriptors.
    stream?.on('data', (chunk: Buffer) => take(decoder.write(chunk)))
    stream?.on('end', () => take(decoder.end()))
  }
  let endedBy: string | null = null
  const end = (reason: string) => {
    endedBy ??= reason
    killGroup(child)
  }
  const timer = setTimeout(() => end(`it took longer than ${timeout / 1_000} seconds and was killed`), timeout)
  const onAbort = () => end('the user interrupted it')
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  try {
    const [code, by] = await exitOf(child)
    const note = endedBy ?? (by ? `it was ended by ${by}` : code === 0 ? null : `exit code ${code}`)
    const cut = dropped > 0 ? `\n… (${dropped} characters in the middle were not kept) …` : ''
    const output = `${kept}${cut}`.trimEnd()
    if (note === null) return { output: output || '(no output)' }
    return { output: `${output}${output ? '\n' : ''}(${note})`, failed: true }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }

  function take(text: string) {
    if (text === '') return
    onOutput(text)
    kept += text
    if (kept.length > 2 * maxKept) {
      dropped += kept.length - 2 * maxKept
      kept = kept.slice(0, maxKept) + kept.slice(-maxKept)
    }
  }
}

/** Keeps running, with its output in a file, until our process ends. */
export function runInBackground({ command, cwd, env, outputFile }: Shell): { pid: number } {
  mkdirSync(dirname(outputFile), { recursive: true, mode: 0o700 })
  const output = openSync(outputFile, 'a', 0o600)
  const stdio: ['ignore', number, number] = ['ignore', output, output]
  const child = spawn(bashOf(cwd, env), shellArguments(command), { argv0: 'bash', cwd, env, detached: true, stdio })
  child.on('error', () => {})
  child.unref()
  process.once('exit', () => killGroup(child))
  return { pid: child.pid ?? 0 }
}

/**
 * Bash would become the last program of a command. It stays, because it carries the run in its environment: a program
 * that drops the variable is still known to work for an agent.
 */
function shellArguments(command: string): string[] {
  return ['-c', 'eval "set --\n$1"; exit $?', 'bash', command]
}

/** The shell that the yes is bound to. */
function bashOf(cwd: string, env: NodeJS.ProcessEnv): string {
  return findProgram('bash', cwd, env.PATH)?.found ?? 'bash'
}

// How long to read what is still in the pipe: a process that the command left behind keeps the pipe open.
const drainTime = 500

async function exitOf(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  const closed = once(child, 'close')
  const [code, signal] = (await Promise.race([once(child, 'exit'), closed])) as [number | null, NodeJS.Signals | null]
  const drained = new Promise(resolve => setTimeout(resolve, drainTime).unref())
  await Promise.race([closed, drained])
  for (const stream of [child.stdout, child.stderr]) stream?.destroy()
  return [code, signal]
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has already ended.
  }
}
