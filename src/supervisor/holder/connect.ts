import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { BeckonError } from '../../protocol/errors.ts'
import { describeStartError } from '../../system/processes/start-error.ts'
import type { HolderAddress } from './address.ts'
import { createNonce, isProof, type Nonces, prove } from './authenticate.ts'
import {
  type Challenge,
  type Exit,
  type Frame,
  type Hello,
  type Output,
  type Proof,
  type Taken,
  type Written,
  writeFrame,
  writeInput,
  writeJson,
  writeSize,
} from './frames.ts'
import { type OpenSocket, openSocket } from './open-socket.ts'
import { createOutputReader } from './output-reader.ts'
import type { WindowSize } from './spec.ts'

/** A supervisor's connection to a holder. */
export interface HolderLink {
  readonly hello: Hello
  /** Asks for the output from this offset on; resolves to false when another supervisor is connected. */
  from(offset: number): Promise<boolean>
  taken(offset: number, notes?: Record<string, unknown>): void
  /** Resolves to null when the bytes are in the agent's stdin, or to the reason why not. The same id is written once. */
  input(id: string, bytes: Uint8Array): Promise<string | null>
  /** Input besides the replies, which the holder keeps until the agent waits for it: what a person typed … */
  type(bytes: Uint8Array): void
  /** … what comes from a pipe or a file … */
  pipe(bytes: Uint8Array): void
  /** … and its end. */
  endInput(): void
  /** Sends keys that interrupt the agent, whether it waits for input or not. */
  press(keys: Uint8Array): void
  /** Lets an agent that has printed nothing from this offset on, and waits, have the next of what is held. */
  pass(offset: number): void
  /** What was typed and has not reached the agent; the holder forgets it. */
  takeBack(): Promise<Uint8Array>
  /** Sets the window size of the agent's pseudo-terminal. */
  resize(size: WindowSize): void
  /** Ends the holder. Resolves once it is gone. */
  dismiss(): Promise<void>
  close(): void
}

export interface HolderListener {
  onOutput(output: Output): void
  onExit(exit: Exit): void
  /** The agent waits for input that is held, and has printed everything before this offset. */
  onWaits?(offset: number): void
  /** The agent has not waited for what was typed for a while. From now on, an empty line sends it. */
  onUnread?(): void
  /** The connection broke: the holder is gone. */
  onLost(): void
}

const startTimeout = 10_000

export interface StartedHolder {
  pid: number | undefined
  /** Rejects, in a sentence, where it could not be started. */
  started: Promise<void>
  /** Whether it has ended. */
  isGone(): boolean
}

/** Starts a holder in a session of its own; it outlives us. */
export function startHolder(program: string, folder: string, env: NodeJS.ProcessEnv): StartedHolder {
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: 'ignore', env, cwd: folder })
  child.unref()
  const started = once(child, 'spawn').then(
    () => {},
    error => {
      throw new BeckonError('unsupported', describeStartError(error, 'The holder of the run'), null, error)
    },
  )
  started.catch(() => {})
  const isGone = () => child.exitCode !== null || child.signalCode !== null
  return { pid: child.pid, started, isGone }
}

/** Somebody ended the holder before it could be reached, and it may have started the agent. */
export class HolderGone extends Error {}

export interface ConnectOptions {
  timeout?: number
  isGone?: () => boolean
}

/** Connects to a holder, which may need a moment to start. */
export async function connectHolder(
  { socket, secret }: HolderAddress,
  listener: HolderListener,
  { timeout = startTimeout, isGone = () => false }: ConnectOptions = {},
): Promise<HolderLink> {
  const deadline = performance.now() + timeout
  for (;;) {
    try {
      return await greet(await openSocket(socket), secret, listener)
    } catch (error) {
      if (isGone()) throw new HolderGone('The holder of the run ended as it started.')
      if (performance.now() > deadline) throw error
      await sleep(10)
    }
  }
}

/** Nothing is sent to the other end but a proof, and nothing is taken from it, until it has proved to be our holder. */
function greet(
  { socket, read }: OpenSocket,
  secret: string | null,
  { onOutput, onExit, onWaits, onUnread, onLost }: HolderListener,
): Promise<HolderLink> {
  const readFrames = createOutputReader({ onFrame, onOutput: output => isTrusted && onOutput(output) })
  let nonces: Nonces | null = null
  let isTrusted = false
  const waiting = new Map<string, (error: string | null) => void>()
  const returning: ((bytes: Uint8Array) => void)[] = []
  const greeted = Promise.withResolvers<HolderLink>()
  const attending = Promise.withResolvers<boolean>()
  const gone = Promise.withResolvers<void>()
  let closed = false
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    greeted.reject(new Error('The holder did not answer.'))
    attending.resolve(false)
    gone.resolve()
    for (const resolve of waiting.values()) resolve('The holder of the run is gone.')
    for (const resolve of returning) resolve(new Uint8Array())
    if (!closed && isTrusted) onLost()
  })
  read(bytes => {
    try {
      readFrames(bytes)
    } catch {
      socket.destroy()
    }
  })
  return greeted.promise

  function onFrame({ kind, body }: Frame) {
    if (kind === 'challenge') answerChallenge(JSON.parse(body.toString()))
    else if (kind === 'hello') onHello(JSON.parse(body.toString()))
    else if (!isTrusted) throw new Error('The holder has not proved itself.')
    else if (kind === 'attending') attending.resolve(true)
    else if (kind === 'exit') onExit(JSON.parse(body.toString()))
    else if (kind === 'written') onWritten(JSON.parse(body.toString()))
    else if (kind === 'waits') onWaits?.(JSON.parse(body.toString()))
    else if (kind === 'unread') onUnread?.()
    else if (kind === 'returned') returning.shift()?.(body)
  }

  function answerChallenge({ nonce: holder }: Challenge) {
    if (secret === null || nonces !== null) throw new Error('The holder must not ask for a proof now.')
    nonces = { holder, supervisor: createNonce() }
    const proof: Proof = { nonce: nonces.supervisor, proof: prove(secret, 'supervisor', nonces) }
    socket.write(writeJson('proof', proof))
  }

  function onHello(hello: Hello) {
    const isOurs = secret === null || (nonces !== null && isProof(hello.proof, secret, 'holder', nonces))
    if (!isOurs) throw new Error('The holder does not know the secret of the run.')
    isTrusted = true
    greeted.resolve(link(hello))
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
      type: bytes => socket.write(writeFrame('typed', bytes)),
      pipe: bytes => socket.write(writeFrame('piped', bytes)),
      endInput: () => socket.write(writeFrame('endInput')),
      press: keys => socket.write(writeFrame('keys', keys)),
      pass: offset => socket.write(writeJson('pass', offset)),
      takeBack: () => {
        // A holder of an earlier version holds nothing.
        if (socket.destroyed || hello.held === undefined) return Promise.resolve(new Uint8Array())
        const { promise, resolve } = Promise.withResolvers<Uint8Array>()
        returning.push(resolve)
        socket.write(writeFrame('takeBack'))
        return promise
      },
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
