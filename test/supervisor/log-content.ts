const lineBytes = 12
const page = Buffer.from(
  Array.from({ length: 100_000 }, (_, i) => `line ${String(i).padStart(lineBytes - 6)}\n`).join(''),
)

/** Output whose content follows from its offset. */
export function contentAt(offset: number, length: number): Buffer {
  const pieces: Buffer[] = []
  for (let at = offset; at < offset + length; ) {
    const from = at % page.length
    const piece = page.subarray(from, Math.min(page.length, from + offset + length - at))
    pieces.push(piece)
    at += piece.length
  }
  return Buffer.concat(pieces)
}
