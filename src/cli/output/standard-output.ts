import { fstatSync, statSync, writeSync } from 'node:fs'

type Stream = NodeJS.WriteStream
type Written = (error?: Error | null) => void

// More than a command prints that an agent waits for, and less than a pipe holds.
const firstBytes = 8_192

/**
 * stdout or stderr. Node's own stream takes as long to load as a tenth of the start, so on a pipe or a file the first bytes
 * are written without it. It is loaded for everything else: a terminal, more bytes, a reader that is too slow, an event.
 */
export function standardOutput(fd: 1 | 2): Stream {
  const streamOf = () => withoutErrors(fd === 1 ? process.stdout : process.stderr)
  if (process.platform === 'win32' || isTerminal(fd)) return streamOf()
  let stream: Stream | null = null
  let left = firstBytes
  return new Proxy({} as Stream, {
    get,
    set: (_, name, value) => Reflect.set(load(), name, value),
    has: (_, name) => name in load(),
  })

  function get(_: Stream, name: keyof Stream): unknown {
    if (name === 'write' && !stream) return write
    if ((name === 'isTTY' || name === 'columns' || name === 'rows') && !stream) return undefined
    const value: unknown = Reflect.get(load(), name)
    return typeof value === 'function' ? value.bind(stream) : value
  }

  function load(): Stream {
    stream ??= streamOf()
    return stream
  }

  function write(text: string | Uint8Array, written?: Written): boolean {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text
    if (stream || bytes.length > left) return load().write(bytes, written)
    left -= bytes.length
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(fd, bytes, at)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return load().write(bytes.subarray(at), written)
        process.nextTick(() => written?.(error as Error))
        return true
      }
    }
    if (written) process.nextTick(written)
    return true
  }
}

/** The callback of a write reports a closed pipe; without a listener, the event would end the process. */
function withoutErrors(stream: Stream): Stream {
  if (stream.listenerCount('error') === 0) stream.on('error', () => {})
  return stream
}

/** As Node says, whose module for terminals loads the one for networks; most descriptors cannot be a terminal anyway. */
export function isTerminal(fd: number): boolean {
  return isDevice(fd) && process.getBuiltinModule('node:tty').isatty(fd)
}

function isDevice(fd: number): boolean {
  try {
    const found = fstatSync(fd)
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null').rdev
  } catch {
    return true
  }
}
