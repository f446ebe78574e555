import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Exit,
  type Frame,
  type Hello,
  type Output,
  type Taken,
  type Written,
  writeFrame,
  writeInput,
  writeJson,
  writeSize,
} from './frames.ts'
import { createOutputReader } from './output-reader.ts'
import type { WindowSize } from './spec.ts'

/** A supervisor's end of the line to a holder. */
export interface HolderLink {
  readonly hello: Hello
  /** Starts the flow of output from this offset on; resolves to false when somebody else looks after the run. */
  from(offset: number): Promise<boolean>
  taken(offset: number, notes?: Record<string, unknown>): void
  /** Resolves when it is in the agent's stdin, with why not if it is not. The same id is written once. */
  input(id: string, bytes: Uint8Array): Promise<string | null>
  /** What a person typed: no word comes back. */
  type(bytes: Uint8Array): void
  endInput(): void
  /** Of the window that a person has in front of them; for an agent with a pseudo-terminal. */
  resize(size: WindowSize): void
  /** Resolves once the holder has gone. */
  dismiss(): Promise<void>
  close(): void
}

export interface HolderListener {
  onOutput(output: Output): void
  onExit(exit: Exit): void
  /** The line broke: the holder is gone. */
  onLost(): void
}

const startPatience = 10_000

/** Starts a holder in a session of its own; it outlives us. */
export function startHolder(program: string, folder: string, env: NodeJS.ProcessEnv): number | undefined {
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: 'ignore', env, cwd: folder })
  child.unref()
  return child.pid
}

/** Connects to a holder, which may need a moment to be there. */
export async function connectHolder(
  path: string,
  listener: HolderListener,
  patience = startPatience,
): Promise<HolderLink> {
  const giveUpAt = performance.now() + patience
  for (;;) {
    try {
      return await greet(await open(path), listener)
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
      await sleep(10)
    }
  }
}

function open(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}

function greet(socket: Socket, { onOutput, onExit, onLost }: HolderListener): Promise<HolderLink> {
  const read = createOutputReader({ onFrame, onOutput })
  const waiting = new Map<string, (error: string | null) => void>()
  const greeted = Promise.withResolvers<HolderLink>()
  const attending = Promise.withResolvers<boolean>()
  const gone = Promise.withResolvers<void>()
  let closed = false
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    greeted.reject(new Error('The holder did not answer.'))
    attending.resolve(false)
    gone.resolve()
    for (const tell of waiting.values()) tell('The holder of the run is gone.')
    if (!closed) onLost()
  })
  socket.on('data', chunk => {
    try {
      read(chunk)
    } catch {
      socket.destroy()
    }
  })
  return greeted.promise

  function onFrame({ kind, body }: Frame) {
    if (kind === 'hello') greeted.resolve(link(JSON.parse(body.toString())))
    else if (kind === 'attending') attending.resolve(true)
    else if (kind === 'exit') onExit(JSON.parse(body.toString()))
    else if (kind === 'written') onWritten(JSON.parse(body.toString()))
  }

  function link(hello: Hello): HolderLink {
    return {
      hello,
      from: offset => {
        socket.write(writeJson('from', offset))
        return attending.promise
      },
      taken: (offset, notes = {}) => socket.write(writeJson('taken', { offset, notes } satisfies Taken)),
      input: (id, bytes) => {
        const { promise, resolve } = Promise.withResolvers<string | null>()
        if (socket.destroyed) resolve('The holder of the run is gone.')
        waiting.set(id, resolve)
        socket.write(writeInput(id, bytes))
        return promise
      },
      type: bytes => socket.write(writeInput('', bytes)),
      endInput: () => socket.write(writeFrame('endInput')),
      resize: size => socket.write(writeSize(size)),
      dismiss: () => {
        closed = true
        socket.end(writeFrame('dismiss'))
        return gone.promise
      },
      close: () => {
        closed = true
        socket.destroy()
      },
    }
  }

  function onWritten({ id, error }: Written) {
    waiting.get(id)?.(error)
    waiting.delete(id)
  }
}
