import type { WindowSize } from './spec.ts'

// The protocol between the holder of a run and its supervisor, over a socket: frames of a kind, a length and a body.
// Numbers are big-endian; offsets count the bytes of the agent's output, both streams together, in order of arrival.

const frameKinds = {
  /** holder: its state, sent to a supervisor that proved itself, with the holder's own proof; JSON of Hello. */
  hello: 1,
  /** holder: output: stream (1 out, 2 err), offset of its first byte, bytes. */
  output: 2,
  /** holder: the agent has ended, and all of its output was sent; JSON of Exit. */
  exit: 3,
  /** holder: the input with this id is in the agent's stdin; JSON of Written. */
  written: 4,
  /** holder: this connection is the supervisor now. */
  attending: 5,
  /** holder: sent to every connection, which must answer with a proof; JSON of Challenge. */
  challenge: 6,
  /** holder: the agent waits for input that is held back, and has printed everything before this offset; JSON of it. */
  waits: 7,
  /** holder: what was typed and not passed on, in answer to `takeBack`. */
  returned: 8,
  /** holder: the agent has not waited for what was typed for a while. */
  unread: 9,
  /** supervisor: send output from this offset on. Refused while another supervisor is connected. */
  from: 10,
  /** supervisor: output before this offset is stored; JSON of Taken. */
  taken: 11,
  /** supervisor: a reply for the agent's stdin; length of the id, id, bytes. The same id is written once. */
  input: 12,
  /** supervisor: the end of what is typed or piped. */
  endInput: 13,
  /** supervisor: the exit is known, and the holder can end. */
  dismiss: 14,
  /** supervisor: the window size of the agent's terminal; columns, rows. */
  resize: 15,
  /** supervisor: proves that it knows the run's secret; JSON of Proof. */
  proof: 16,
  /** supervisor: bytes that a person typed, held until the agent waits for them. */
  typed: 17,
  /** supervisor: the same for bytes that come from a pipe or a file. */
  piped: 18,
  /** supervisor: keys that interrupt the agent, written at once. */
  keys: 19,
  /** supervisor: output up to this offset asks nothing, so an agent that waits there may have what is held; JSON of it. */
  pass: 20,
  /** supervisor: give back what was typed and not passed on. */
  takeBack: 21,
} as const
export type FrameKind = keyof typeof frameKinds

export interface Frame {
  kind: FrameKind
  body: Buffer
}

const byCode = new Map(Object.entries(frameKinds).map(([kind, code]) => [code as number, kind as FrameKind]))
export const headLength = 5
/** The length of stream and offset, before the bytes of an output frame. */
export const outputHead = 9
/** A longer frame is not from our protocol. */
const maxBody = 16 * 1_024 * 1_024

export function writeFrame(kind: FrameKind, ...parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const head = Buffer.allocUnsafe(headLength)
  head.writeUInt8(frameKinds[kind], 0)
  head.writeUInt32BE(length, 1)
  return Buffer.concat([head, ...parts])
}

export function writeJson(kind: FrameKind, value: unknown): Buffer {
  return writeFrame(kind, Buffer.from(JSON.stringify(value)))
}

/** Bytes in, whole frames out. Throws on anything else: then another program is at the other end. */
export function createFrameReader(): (chunk: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0)
  return chunk => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    while (rest.length >= headLength) {
      const kind = kindOf(rest)
      const length = rest.readUInt32BE(1)
      if (!kind || length > maxBody) throw new Error('This is not a frame of the holder protocol.')
      if (rest.length < headLength + length) break
      frames.push({ kind, body: rest.subarray(headLength, headLength + length) })
      rest = rest.subarray(headLength + length)
    }
    return frames
  }
}

/** The kind of the frame that begins here; undefined for an unknown one. */
export function kindOf(bytes: Buffer): FrameKind | undefined {
  return byCode.get(bytes.readUInt8(0))
}

export type Stream = 'out' | 'err'

export interface Output {
  stream: Stream
  /** The offset of its first byte. */
  offset: number
  bytes: Buffer
}

/** What comes before the bytes of an output frame with this many. */
export function outputFrameHead({ stream, offset }: Pick<Output, 'stream' | 'offset'>, length: number): Buffer {
  const head = Buffer.allocUnsafe(headLength + outputHead)
  head.writeUInt8(frameKinds.output, 0)
  head.writeUInt32BE(outputHead + length, 1)
  head.writeUInt8(stream === 'out' ? 1 : 2, headLength)
  head.writeBigUInt64BE(BigInt(offset), headLength + 1)
  return head
}

export function readOutput(body: Buffer): Output {
  const stream = body.readUInt8(0) === 1 ? 'out' : 'err'
  return { stream, offset: Number(body.readBigUInt64BE(1)), bytes: body.subarray(outputHead) }
}

export function writeInput(id: string, bytes: Uint8Array): Buffer {
  const name = Buffer.from(id)
  const head = Buffer.allocUnsafe(2)
  head.writeUInt16BE(name.length, 0)
  return writeFrame('input', head, name, bytes)
}

export function readInput(body: Buffer): { id: string; bytes: Buffer } {
  const length = body.readUInt16BE(0)
  return { id: body.subarray(2, 2 + length).toString(), bytes: body.subarray(2 + length) }
}

/** How much a supervisor has stored; `notes` are for the next one, and each replaces the note of the same name. */
export interface Taken {
  offset: number
  notes: Record<string, unknown>
}

export function writeSize({ columns, rows }: WindowSize): Buffer {
  const body = Buffer.allocUnsafe(4)
  body.writeUInt16BE(columns, 0)
  body.writeUInt16BE(rows, 2)
  return writeFrame('resize', body)
}

export function readSize(body: Buffer): WindowSize {
  return { columns: body.readUInt16BE(0), rows: body.readUInt16BE(2) }
}

/** How the agent ended. */
export interface Exit {
  code: number | null
  signal: string | null
  /** Why it could not be started; null when it was. */
  error: string | null
}

export interface Challenge {
  nonce: string
}

export interface Proof {
  nonce: string
  proof: string
}

export interface Hello {
  /** Missing where the holder was started by an earlier version, which had no secrets. */
  proof?: string
  /** The agent's pid; null when it could not be started. */
  pid: number | null
  holder: number
  /** Names this start of the run. Missing where the holder was started by an earlier version. */
  start?: string
  /** The holder has no output before this offset. */
  from: number
  /** Ids of the inputs that were written to stdin. */
  written: string[]
  /** Notes of earlier supervisors; they belong to the output from `from` on. */
  notes: Record<string, unknown>
  /** Whether another supervisor is connected. */
  attended: boolean
  /** How many typed bytes it holds back. Missing where the holder was started by an earlier version, which held none. */
  held?: number
}

export interface Written {
  id: string
  /** Null when it was written; otherwise why not. */
  error: string | null
}
