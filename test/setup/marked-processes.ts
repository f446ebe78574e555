import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'

/** Every process of such a test carries this variable with the test's folder. */
export const mark = 'TEST_FOLDER'

export interface Found {
  pid: number
  command: string
  /** The run that it belongs to. */
  run: string | null
}

/** The living processes that carry the mark with this folder. */
export function findProcesses(folder: string): Found[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap(name => {
      const variables = read(`/proc/${name}/environ`).split('\0')
      if (!variables.includes(`${mark}=${folder}`)) return []
      const run = variables.find(one => one.startsWith('BECKON_RUN='))?.slice('BECKON_RUN='.length) ?? null
      const command = read(`/proc/${name}/cmdline`).replaceAll('\0', ' ').trim()
      // A process that has ended and was not collected yet has no command line.
      return command === '' ? [] : [{ pid: Number(name), command, run }]
    })
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export async function killAndWait(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has just ended.
  }
}

/**
 * Ends everything that carries the mark and deletes the folders, when the returned function is called, or when this
 * process ends in whatever way: a shell waits for the end of its input, a pipe from here.
 */
export function startCleaner(folder: string, others: readonly string[]): () => Promise<void> {
  // PostgreSQL gives its shared memory back when it is interrupted, and cannot when it is killed.
  const script = `send() {
      for file in $(grep -lzsx "${mark}=$MARKED" /proc/[0-9]*/environ); do
        pid=\${file#/proc/}; kill "$1" "\${pid%/environ}" 2>/dev/null && sent=yes
      done
    }
    cat >/dev/null
    send -INT; send -CONT; [ "$sent" ] && sleep 1
    send -KILL; send -KILL
    rm -rf "$@"`
  const shell = spawn('/bin/sh', ['-c', script, 'sh', folder, ...others], {
    cwd: '/',
    env: { PATH: process.env.PATH, MARKED: folder },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = once(shell, 'exit')
  shell.unref()
  return async () => {
    shell.ref()
    shell.stdin.end()
    await ended
  }
}
