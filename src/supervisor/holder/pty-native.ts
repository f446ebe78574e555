import { createRequire } from 'node:module'

// The native half of node-pty. We do not use its JavaScript half: it drops the rest of the output 200 ms after the process
// ends, and does not report when a write is done.

interface Native {
  fork(
    file: string,
    args: string[],
    env: string[],
    cwd: string,
    columns: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (code: number, signal: number) => void,
  ): Terminal
  resize(fd: number, columns: number, rows: number): void
}

interface Terminal {
  /** Our end, which does not block. */
  fd: number
  pid: number
  /** The path of the other end. */
  pty: string
}

interface Start {
  file: string
  args: string[]
  env: string[]
  cwd: string
  columns: number
  rows: number
  onExit: (code: number, signal: number) => void
}

export interface Terminals {
  fork(start: Start): Terminal
  resize(fd: number, columns: number, rows: number): void
}

/** Loaded only for an agent that needs a terminal. */
export function loadTerminals(): Terminals {
  const require = createRequire(import.meta.url)
  const native: Native = require('@lydell/node-pty/requireBinary.js').requireBinary('pty.node')
  const mac = `@lydell/node-pty-darwin-${process.arch}/spawn-helper`
  const helper = process.platform === 'darwin' ? require.resolve(mac) : ''
  return {
    fork: ({ file, args, env, cwd, columns, rows, onExit }) =>
      native.fork(file, args, env, cwd, columns, rows, -1, -1, false, helper, onExit),
    resize: native.resize,
  }
}
