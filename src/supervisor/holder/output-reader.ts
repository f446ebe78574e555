import { createFrameReader, type Frame, headLength, kindOf, type Output, outputHead, readOutput } from './frames.ts'

interface Listener {
  onFrame(frame: Frame): void
  /** A piece of output, or a part of one. */
  onOutput(output: Output): void
}

const nothing = Buffer.alloc(0)

/**
 * Reads what a holder sends. Output is most of it, and is given on as it comes, without waiting for the rest of its frame
 * and without a copy.
 */
export function createOutputReader({ onFrame, onOutput }: Listener): (chunk: Buffer) => void {
  const readFrames = createFrameReader()
  /** What is missing of the frame before. */
  let begun: { output: Output; left: number } | null = null
  let rest: Buffer = nothing
  return chunk => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = nothing
    while (bytes.length > 0) {
      const used: number = begun ? goOn(begun, bytes) : begin(bytes)
      if (used === 0) {
        rest = bytes
        return
      }
      bytes = bytes.subarray(used)
    }
  }

  function goOn({ output, left }: { output: Output; left: number }, bytes: Buffer): number {
    const part = bytes.subarray(0, left)
    const offset = output.offset + part.length
    begun = left > part.length ? { output: { ...output, offset }, left: left - part.length } : null
    onOutput({ ...output, bytes: part })
    return part.length
  }

  /** How many bytes were of use; none when more are needed to see what this is. */
  function begin(bytes: Buffer): number {
    if (bytes.length < headLength) return 0
    const length = bytes.readUInt32BE(1)
    if (kindOf(bytes) === 'output') {
      const head = headLength + outputHead
      if (bytes.length < head) return 0
      const left = length - outputHead
      if (left > 0) begun = { output: readOutput(bytes.subarray(headLength, head)), left }
      return head
    }
    if (bytes.length < headLength + length) return 0
    for (const frame of readFrames(bytes.subarray(0, headLength + length))) onFrame(frame)
    return headLength + length
  }
}
