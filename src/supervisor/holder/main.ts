import { readFileSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { keepHeapSmall } from '../small-heap.ts'
import type { Agent } from './agent.ts'
import { createNonce, isProof, prove } from './authenticate.ts'
import { BufferedOutput } from './buffered-output.ts'
import {
  type Challenge,
  createFrameReader,
  type Exit,
  type Frame,
  type Hello,
  type Proof,
  readInput,
  readSize,
  type Taken,
  writeFrame,
  writeJson,
} from './frames.ts'
import { createInputGate } from './input-gate.ts'
import { OutputSender, sendOutput } from './output-sender.ts'
import type { HolderSpec } from './spec.ts'
import { startAgent } from './start-agent.ts'

// The holder of a run: a small process in a session of its own that owns the agent's pipes. A supervisor connects to it,
// takes the output and writes the answers; when it dies, another connects and continues from there. The holder decides
// nothing, stores only how the agent ended, and ends when a supervisor dismisses it.

keepHeapSmall({ compiles: false })
const defaultCapacity = 4 * 1_024 * 1_024
const folder = process.argv[2] ?? ''
const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as HolderSpec

const buffered = new BufferedOutput(spec.room ?? defaultCapacity)
const written = new Map<string, string | null>(spec.given?.map(id => [id, null]))
let notes: Record<string, unknown> = {}
/** The connection that asked for the output. */
let supervisor: Socket | null = null
let agent: Agent | null = null
let exit: Exit | null = null
const sender = new OutputSender(() => supervisor)
const gate = createInputGate({
  agent: () => (exit ? null : agent),
  printed: () => buffered.end,
  onWaits: offset => send(writeJson('waits', offset)),
  onUnread: () => send(writeFrame('unread')),
})

// The process that started us may end at any time, and its terminal with it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'] as const) process.on(signal, () => {})
rmSync(spec.socket, { force: true })
const server = createServer(onConnection).listen(spec.socket, begin)
server.on('error', error => finish({ code: null, signal: null, error: error.message }))

function begin() {
  agent = startAgent(spec, {
    onOutput(stream, bytes) {
      for (const piece of buffered.add(stream, bytes)) sender.add(piece)
      if (buffered.isFull) agent?.pause()
    },
    onExit: finish,
  })
  save('holder.json', { agent: agent.pid })
}

/** A process that proves to be a supervisor of this run gets the state, but only one at a time is the supervisor. */
function onConnection(socket: Socket) {
  const read = createFrameReader()
  const nonce = createNonce()
  let isTrusted = spec.secret === undefined
  socket.write(isTrusted ? greeting() : writeJson('challenge', { nonce } satisfies Challenge))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    if (supervisor !== socket) return
    supervisor = null
    gate.reset()
  })
  socket.on('data', chunk => {
    try {
      for (const frame of read(chunk)) {
        if (isTrusted) handle(socket, frame)
        else authenticate(frame)
      }
    } catch {
      socket.destroy()
    }
  })

  function authenticate({ kind, body }: Frame) {
    const { secret = '' } = spec
    const given = readJson<Proof>(body)
    const nonces = { holder: nonce, supervisor: given.nonce }
    if (kind !== 'proof' || !isProof(given.proof, secret, 'supervisor', nonces)) throw new Error('Not a supervisor.')
    isTrusted = true
    socket.write(greeting(prove(secret, 'holder', nonces)))
  }
}

function greeting(proof?: string): Buffer {
  const hello: Hello = {
    ...(proof === undefined ? {} : { proof }),
    pid: agent?.pid ?? null,
    holder: process.pid,
    ...(spec.start === undefined ? {} : { start: spec.start }),
    from: buffered.from,
    written: [...written.keys()],
    notes,
    attended: supervisor !== null,
    held: gate.typedBytes(),
  }
  return writeJson('hello', hello)
}

function handle(socket: Socket, { kind, body }: Frame) {
  if (kind !== 'from' && socket !== supervisor) return
  switch (kind) {
    case 'from':
      if (supervisor && supervisor !== socket) return socket.destroy()
      supervisor = socket
      socket.write(writeJson('attending', true))
      sender.clear()
      for (const piece of buffered.since(readJson<number>(body))) sendOutput(socket, [piece])
      if (exit) socket.write(writeJson('exit', exit))
      return
    case 'taken': {
      const taken = readJson<Taken>(body)
      buffered.release(taken.offset)
      notes = { ...notes, ...taken.notes }
      if (!buffered.isFull) agent?.resume()
      return
    }
    case 'input':
      return input(readInput(body))
    case 'endInput':
      return gate.end()
    case 'typed':
      return gate.add(body, true)
    case 'piped':
      return gate.add(body, false)
    case 'keys':
      return agent?.write(body, () => {})
    case 'pass':
      return gate.pass(readJson<number>(body))
    case 'takeBack':
      return send(writeFrame('returned', gate.takeBack()))
    case 'resize':
      return agent?.resize(readSize(body))
    case 'dismiss':
      return dismiss()
  }
}

/** Writes an input once, however often it is sent: a supervisor that is unsure sends it again. */
function input({ id, bytes }: { id: string; bytes: Buffer }) {
  // A supervisor of an earlier version, which was updated while it ran, sends what is typed without an id.
  if (id === '') return agent?.write(bytes, () => {})
  const known = written.get(id)
  if (known !== undefined) return confirm(known)
  if (!agent) return confirm('The agent has not started.')
  // Counts as written from here on: half of it may be in the pipe already.
  written.set(id, null)
  agent.write(bytes, error => {
    if (error) written.set(id, error.message)
    confirm(error?.message ?? null)
  })

  function confirm(error: string | null) {
    send(writeJson('written', { id, error }))
  }
}

function finish(end: Exit) {
  if (exit) return
  exit = end
  save('exit.json', { ...end, at: Date.now() })
  send(writeJson('exit', end))
}

/** Sends a frame to the supervisor, after all output before it. */
function send(frame: Buffer) {
  sender.flush()
  supervisor?.write(frame)
}

function readJson<Value>(body: Buffer): Value {
  return JSON.parse(body.toString())
}

function dismiss() {
  rmSync(spec.socket, { force: true })
  process.exit(0)
}

function save(name: string, value: unknown) {
  try {
    writeFileAtomically(join(folder, name), JSON.stringify(value))
  } catch {
    // A full disk or a removed folder must not end the agent.
  }
}
