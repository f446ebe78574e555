import { PassThrough, Writable } from 'node:stream'

/** A terminal of 100 by 40 that only counts what is written to it. */
export function fakeTerminal() {
  let frames = 0
  let last = ''
  const output = new Writable({
    write(chunk, _encoding, done) {
      last = String(chunk)
      if (last.includes('\x1b[?7l')) frames += 1
      done()
    },
  })
  const input = Object.assign(new PassThrough(), { isTTY: true as const, setRawMode: () => input })
  const size = { isTTY: true as const, columns: 100, rows: 40 }
  return {
    terminal: { input, output: Object.assign(output, size), env: { TERM: 'xterm-256color' } } as never,
    frames: () => frames,
    last: () => last,
    send: (bytes: Buffer) => void input.write(bytes),
    async shows(text: string) {
      while (!last.includes(text)) await new Promise(resolve => setImmediate(resolve))
    },
  }
}

export function lines(count: number): string {
  return Array.from({ length: count }, (_, i) => `line ${i + 1} of a log, as long as they are: 2026-11-16 한글`).join(
    '\n',
  )
}
