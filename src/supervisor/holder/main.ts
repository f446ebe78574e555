import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { keepHeapSmall } from '../small-heap.ts'
import { BufferedOutput } from './buffered-output.ts'
import {
  createFrameReader,
  type Exit,
  type Frame,
  type Hello,
  readInput,
  readSize,
  type Taken,
  writeJson,
  writeOutput,
} from './frames.ts'
import type { HolderSpec } from './spec.ts'
import { type Agent, startAgent } from './start-agent.ts'

// The holder of a run: a small process in a session of its own that owns the agent's pipes. A supervisor connects to it,
// takes the output and writes the answers; when it dies, another connects and goes on where it stood. The holder decides
// nothing, stores nothing but how the agent ended, and goes when it is told that this is known.

keepHeapSmall()
const usualRoom = 1_024 * 1_024
const folder = process.argv[2] ?? ''
const spec = JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')) as HolderSpec

const held = new BufferedOutput(spec.room ?? usualRoom)
const written = new Map<string, string | null>(spec.given?.map(id => [id, null]))
let notes: Record<string, unknown> = {}
/** The one that has said from where on it wants the output. */
let supervisor: Socket | null = null
let agent: Agent | null = null
let exit: Exit | null = null

// Whoever started us may go at any time, with its terminal.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGPIPE'] as const) process.on(signal, () => {})
rmSync(spec.socket, { force: true })
const server = createServer(onSupervisor).listen(spec.socket, begin)
server.on('error', error => finish({ code: null, signal: null, error: error.message }))

function begin() {
  agent = startAgent(spec, {
    onOutput(stream, bytes) {
      const piece = held.add(stream, bytes)
      supervisor?.write(writeOutput(piece))
      if (held.isFull) agent?.pause()
    },
    onExit: finish,
  })
  save('holder.json', { agent: agent.pid })
}

/** Only one looks after it at a time. Anybody may see how things are. */
function onSupervisor(socket: Socket) {
  const read = createFrameReader()
  const hello: Hello = {
    pid: agent?.pid ?? null,
    holder: process.pid,
    from: held.from,
    written: [...written.keys()],
    notes,
    attended: supervisor !== null,
  }
  socket.write(writeJson('hello', hello))
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    if (supervisor === socket) supervisor = null
  })
  socket.on('data', chunk => {
    try {
      for (const frame of read(chunk)) obey(socket, frame)
    } catch {
      socket.destroy()
    }
  })
}

function obey(socket: Socket, { kind, body }: Frame) {
  if (kind !== 'from' && socket !== supervisor) return
  switch (kind) {
    case 'from':
      if (supervisor && supervisor !== socket) return socket.destroy()
      supervisor = socket
      socket.write(writeJson('attending', true))
      for (const piece of held.since(readJson<number>(body))) socket.write(writeOutput(piece))
      if (exit) socket.write(writeJson('exit', exit))
      return
    case 'taken': {
      const taken = readJson<Taken>(body)
      held.release(taken.offset)
      notes = { ...notes, ...taken.notes }
      if (!held.isFull) agent?.resume()
      return
    }
    case 'input':
      return input(readInput(body))
    case 'endInput':
      return agent?.endInput()
    case 'resize':
      return agent?.resize(readSize(body))
    case 'dismiss':
      return dismiss()
  }
}

/** Written once, however often it is sent: a supervisor that does not know may ask again. */
function input({ id, bytes }: { id: string; bytes: Buffer }) {
  const known = written.get(id)
  if (known !== undefined) return tell(known)
  if (!agent) return tell('The agent has not started.')
  // From here on it counts as written: half of it may be in the pipe already.
  if (id !== '') written.set(id, null)
  agent.write(bytes, error => {
    if (error && id !== '') written.set(id, error.message)
    if (id !== '') tell(error?.message ?? null)
  })

  function tell(error: string | null) {
    supervisor?.write(writeJson('written', { id, error }))
  }
}

function finish(end: Exit) {
  if (exit) return
  exit = end
  save('exit.json', { ...end, at: Date.now() })
  supervisor?.write(writeJson('exit', end))
}

function readJson<Value>(body: Buffer): Value {
  return JSON.parse(body.toString())
}

function dismiss() {
  rmSync(spec.socket, { force: true })
  process.exit(0)
}

/** Whole or not at all. */
function save(name: string, value: unknown) {
  const file = join(folder, name)
  try {
    writeFileSync(`${file}.new`, JSON.stringify(value), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch {
    // A full disk or a folder that was removed must not take the agent with it.
  }
}
