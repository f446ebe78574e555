import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Context } from './context.ts'

export interface PromptOptions {
  /** What is typed is not shown: for secrets. */
  hidden?: boolean
  /** Somebody else answered, or we were told to leave. */
  signal: AbortSignal
}

/** What a person typed; several lines at once are a paste that does not fit one line; `left` is Ctrl-C or Ctrl-D. */
export type Entry = { line: string } | { lines: number } | 'left'

// Lines of one paste arrive together; no person types a second line that fast.
const pasteWindow = 30

/** One line from the terminal, on stderr so that stdout stays the answer's. */
export function promptLine({ stdin, stderr }: Context, { hidden = false, signal }: PromptOptions): Promise<Entry> {
  if (signal.aborted) return Promise.resolve('left')
  const output = hidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr
  const terminal = createInterface({ input: stdin, output, terminal: true, historySize: 0, prompt: hidden ? '' : '> ' })
  // Only now that the terminal echoes nothing any more.
  if (hidden) stderr.write('> ')
  const lines: string[] = []

  return new Promise(resolve => {
    terminal.on('line', line => {
      if (lines.push(line) === 1) setTimeout(finish, pasteWindow)
    })
    terminal.on('SIGINT', leave)
    // Back from Ctrl-Z: readline has paused itself.
    terminal.on('SIGCONT', () => terminal.prompt(true))
    terminal.on('close', leave)
    signal.addEventListener('abort', leave, { once: true })
    terminal.prompt()

    function finish() {
      const [line = ''] = lines
      const pasted = lines.length + (terminal.line === '' ? 0 : 1)
      close()
      if (hidden) stderr.write('\n')
      resolve(pasted > 1 ? { lines: pasted } : { line })
    }

    function leave() {
      if (lines.length > 0) return
      close()
      stderr.write('\n')
      resolve('left')
    }

    function close() {
      signal.removeEventListener('abort', leave)
      // Only ours: readline has listeners of its own there, which let go of the keyboard.
      terminal.off('close', leave)
      terminal.close()
    }
  })
}
