const newline = 10
const space = 32
const backtick = 96
const tilde = 126

/** A line that begins with a fence's backticks. */
export interface FenceLine {
  ticks: number
  /** Whether nothing but spaces follows, so that it can close a fence. */
  isBare: boolean
  /** Without the line break. */
  length: number
}

/**
 * Reads a line of three or more backticks and printable ASCII after them, as nearly all fences are, without decoding it.
 * Null for any other line, which may have escape sequences, other white space or more backticks, and for one that does not
 * end before `end`.
 */
export function readFenceLine(bytes: Buffer, from: number, end: number): FenceLine | null {
  let at = from
  while (at < end && bytes[at] === backtick) at += 1
  const ticks = at - from
  if (ticks < 3) return null
  let isBare = true
  for (; at < end; at += 1) {
    const byte = bytes[at] as number
    if (byte === newline) return { ticks, isBare, length: at - from }
    if (byte < space || byte > tilde || byte === backtick) return null
    if (byte !== space) isBare = false
  }
  return null
}
