import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launcher, type Sandbox, until } from './sandbox.ts'

let count = 0
/** Separates two views of a screen. */
const between = '==== with wrapped lines joined ===='
const clock = new Int32Array(new SharedArrayBuffer(4))

export interface TerminalOptions {
  columns?: number
  rows?: number
  /** The program to run, if not `beckon`. */
  executable?: string
  /** The interpreter, if not Node; the program is then the first argument. */
  interpreter?: string
}

/** A terminal that cannot draw frames; tmux itself would set another TERM. */
export function dumbTerminal(sandbox: Sandbox, args: string[], size: TerminalOptions = {}) {
  const command = ['TERM=dumb', process.execPath, launcher, ...args]
  return terminal(sandbox, command, {}, { ...size, interpreter: 'env' })
}

/** A real terminal that runs one command; its stdout goes to a file, as in `x=$(beckon ask …)`. */
export function terminal(
  { root, cwd, env, atEnd }: Sandbox,
  args: string[],
  more: Record<string, string> = {},
  { columns = 100, rows = 40, executable = launcher, interpreter }: TerminalOptions = {},
) {
  count += 1
  const socket = join(root, `tmux-${count}`)
  const out = join(cwd, `out-${count}`)
  // With job control, as in an interactive shell; a stopped job is resumed at once.
  const job = '"$@" >"$OUT"; code=$?; while [ -n "$(jobs -s)" ]; do fg; code=$?; done'
  const script = `set -m; ${job}; echo $code >"$OUT.code"; exec cat >/dev/null`
  const command = [
    'bash',
    '-c',
    script,
    'bash',
    ...(interpreter ? [interpreter] : [process.execPath, executable]),
    ...args,
  ]
  const size = ['-x', String(columns), '-y', String(rows)]
  execFileSync('tmux', ['-S', socket, '-f', '/dev/null', 'new-session', '-d', ...size, '-c', cwd, ...command], {
    env: { ...process.env, LC_ALL: 'C.UTF-8', ...env, ...more, OUT: out } as NodeJS.ProcessEnv,
  })
  atEnd(() => tmux('kill-server'))
  return { tmux, screen, shows, type, write, press, paste, resize, pid, end }

  function tmux(...rest: string[]): string {
    return execFileSync('tmux', ['-S', socket, ...rest], { encoding: 'utf8' })
  }

  function screen(): string {
    return tmux('capture-pane', '-p')
  }

  function shows(text: string | RegExp): Promise<boolean> {
    // As drawn, or with wrapped lines joined.
    const views = () =>
      tmux('capture-pane', '-p', ';', 'display-message', '-p', between, ';', 'capture-pane', '-p', '-J')
    const isIn = (view: string) => (typeof text === 'string' ? view.includes(text) : text.test(view))
    return until(() => views().split(between).some(isIn), `${text} on the screen`).catch(error => {
      throw new Error(`${error.message}; it shows:\n${screen()}`)
    })
  }

  function type(text: string): void {
    tmux('send-keys', '-l', '--', text)
    press('Enter')
  }

  /** Types the text without Enter. */
  function write(text: string): void {
    tmux('send-keys', '-l', '--', text)
  }

  function press(...keys: string[]): void {
    for (const key of keys) {
      // At the speed of a person: faster keys are taken for a key that is held down.
      Atomics.wait(clock, 0, 0, 60)
      tmux('send-keys', key)
    }
  }

  function resize(width: number, height: number): void {
    tmux('resize-window', '-x', String(width), '-y', String(height))
  }

  /** Marked as a paste, if the program has asked for that; otherwise as terminals without such marks do. */
  function paste(text: string, { marked = false } = {}): void {
    const file = join(root, 'pasted')
    writeFileSync(file, text)
    tmux('load-buffer', file)
    tmux('paste-buffer', ...(marked ? ['-p'] : []))
  }

  /** The process that runs in the terminal: not the shell that started it. */
  function pid(): number {
    const shell = Number(tmux('display-message', '-p', '#{pane_pid}'))
    const children = (of: number) => readFileSync(`/proc/${of}/task/${of}/children`, 'utf8').trim().split(' ')
    return Number(children(shell)[0])
  }

  /** Waits for the end of the command; returns its exit code and output. */
  async function end() {
    const code = await until(() => existsSync(`${out}.code`) && readFileSync(`${out}.code`, 'utf8').trim(), 'its end')
    return { code: Number(code), stdout: readFileSync(out, 'utf8') }
  }
}
