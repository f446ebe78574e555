import { createScanner, type Item, type ScannerOptions } from '../../src/blocks/index.ts'

export function scan(chunks: Iterable<Uint8Array>, options: ScannerOptions = {}): Item[] {
  const scanner = createScanner(options)
  const items: Item[] = []
  for (const chunk of chunks) items.push(...scanner.push(chunk))
  return [...items, ...scanner.end()]
}

/** By scanners that are each replaced after some chunks: the next one begins where the last one was sure. */
export function scanInTurns(bytes: Buffer, size: number, options: ScannerOptions = {}): Item[] {
  const items: Item[] = []
  let scanner = createScanner(options)
  for (let from = 0, end = 0; end < bytes.length; ) {
    end = Math.min(end + size, bytes.length)
    items.push(...scanner.push(bytes.subarray(from, end)))
    const mark = scanner.mark()
    scanner = createScanner({ ...options, from: mark })
    from = mark.at
  }
  return [...items, ...scanner.push(bytes.subarray(scanner.mark().at)), ...scanner.end()]
}

export function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size)
}

/** Cut where chance has it, the same way for the same seed; a few chunks are empty. */
export function* randomChunks(bytes: Buffer, seed: number): Generator<Buffer> {
  const sizes = [0, 1, 2, 5, 13, 100, 1_000, 40_000]
  let state = seed
  for (let from = 0; from < bytes.length; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    const size = sizes[(state >>> 16) % sizes.length] ?? 1
    yield bytes.subarray(from, from + size)
    from += size
  }
}
