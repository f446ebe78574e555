import type { WindowSize } from './spec.ts'

// What the holder of a run and its supervisor say to each other, over a socket: frames of a kind, a length and a body.
// Numbers are big-endian; offsets count the bytes of the agent's output, both streams together, in the order they came.

const frameKinds = {
  /** holder: who I am and where I stand; JSON of Hello. */
  hello: 1,
  /** holder: a piece of output: stream (1 out, 2 err), offset of its first byte, bytes. */
  output: 2,
  /** holder: the agent ended, and all of its output was sent; JSON of Exit. */
  exit: 3,
  /** holder: what had this id is in the agent's stdin; JSON of Written. */
  written: 4,
  /** holder: you are the one that looks after it now. */
  attending: 5,
  /** supervisor: I look after it; send output from this offset on. Refused while another one does. */
  from: 10,
  /** supervisor: everything before this offset is safe with me; JSON of Taken. */
  taken: 11,
  /** supervisor: into the agent's stdin; length of the id, id, bytes. The same id is written once. */
  input: 12,
  /** supervisor: nothing more comes for stdin. */
  endInput: 13,
  /** supervisor: I know how it ended. The holder may go. */
  dismiss: 14,
  /** supervisor: the window of the agent's terminal has this size now; columns, rows. */
  resize: 15,
} as const
export type FrameKind = keyof typeof frameKinds

export interface Frame {
  kind: FrameKind
  body: Buffer
}

const byCode = new Map(Object.entries(frameKinds).map(([kind, code]) => [code as number, kind as FrameKind]))
export const headLength = 5
/** Before the bytes of an output frame: its stream and offset. */
export const outputHead = 9
/** No frame of ours is longer; a longer one is not ours. */
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

/** Bytes in, whole frames out. Throws on what is none: then somebody else is at the other end. */
export function createFrameReader(): (chunk: Buffer) => Frame[] {
  let rest: Buffer = Buffer.alloc(0)
  return chunk => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const frames: Frame[] = []
    while (rest.length >= headLength) {
      const kind = kindOf(rest)
      const length = rest.readUInt32BE(1)
      if (!kind || length > maxBody) throw new Error('This is no frame of ours.')
      if (rest.length < headLength + length) break
      frames.push({ kind, body: rest.subarray(headLength, headLength + length) })
      rest = rest.subarray(headLength + length)
    }
    return frames
  }
}

/** What the frame is that begins here; none of ours if undefined. */
export function kindOf(bytes: Buffer): FrameKind | undefined {
  return byCode.get(bytes.readUInt8(0))
}

export type Stream = 'out' | 'err'

export interface Output {
  stream: Stream
  /** Of its first byte. */
  offset: number
  bytes: Buffer
}

export function writeOutput({ stream, offset, bytes }: Output): Buffer {
  const head = Buffer.allocUnsafe(outputHead)
  head.writeUInt8(stream === 'out' ? 1 : 2, 0)
  head.writeBigUInt64BE(BigInt(offset), 1)
  return writeFrame('output', head, bytes)
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

/** How far a supervisor is; `notes` go to the one that comes after it, each in place of the one of the same name. */
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
  /** It could not even be started. */
  error: string | null
}

export interface Hello {
  /** The agent's. */
  pid: number | null
  holder: number
  /** Output before this is no longer held. */
  from: number
  /** Ids of what was written into stdin already. */
  written: string[]
  /** What the supervisors before have left; belongs to the output from `from` on. */
  notes: Record<string, unknown>
  /** Another supervisor looks after it. */
  attended: boolean
}

export interface Written {
  id: string
  /** Null when it is there; otherwise why it is not. */
  error: string | null
}
