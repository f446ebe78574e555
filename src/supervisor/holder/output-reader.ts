import { createFrameReader, type Frame, headLength, kindOf, type Output, outputHead, readOutput } from './frames.ts'

interface Listener {
  onFrame(frame: Frame): void
  /** Output, perhaps only part of a frame. */
  onOutput(output: Output): void
}

const nothing = Buffer.alloc(0)

/**
 * Reads what a holder sends. Most of it is output, which is passed on as it comes, without waiting for the rest of its
 * frame and without a copy.
 */
export function createOutputReader({ onFrame, onOutput }: Listener): (chunk: Buffer) => void {
  const readFrames = createFrameReader()
  /** The output frame that is not complete yet. */
  let partial: { output: Output; left: number } | null = null
  let rest: Buffer = nothing
  return chunk => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = nothing
    while (bytes.length > 0) {
      const used: number = partial ? continueFrame(partial, bytes) : beginFrame(bytes)
      if (used === 0) {
        rest = bytes
        return
      }
      bytes = bytes.subarray(used)
    }
  }

  function continueFrame({ output, left }: { output: Output; left: number }, bytes: Buffer): number {
    const part = bytes.subarray(0, left)
    const offset = output.offset + part.length
    partial = left > part.length ? { output: { ...output, offset }, left: left - part.length } : null
    onOutput({ ...output, bytes: part })
    return part.length
  }

  /** Returns how many bytes it used; 0 when it needs more to recognise the frame. */
  function beginFrame(bytes: Buffer): number {
    if (bytes.length < headLength) return 0
    const length = bytes.readUInt32BE(1)
    if (kindOf(bytes) === 'output') {
      const head = headLength + outputHead
      if (bytes.length < head) return 0
      const left = length - outputHead
      if (left > 0) partial = { output: readOutput(bytes.subarray(headLength, head)), left }
      return head
    }
    if (bytes.length < headLength + length) return 0
    for (const frame of readFrames(bytes.subarray(0, headLength + length))) onFrame(frame)
    return headLength + length
  }
}
