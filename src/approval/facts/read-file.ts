import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs'

export interface Reading {
  readonly content: Buffer
  /** Instead of a hash of the content. Nobody can set the time of change. */
  readonly identity: string | null
}

const maxBytes = 16 << 20
const maxText = 1 << 20

/** The content of a regular file; null where there is none. A bigger file is identified by its size and times. */
export function readOnce(path: string, { identifyOnly = false } = {}): Reading | null {
  let file: number
  try {
    // A FIFO without a writer must not block us.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    const stat = fstatSync(file, { bigint: true })
    if (!stat.isFile()) return null
    if (identifyOnly || stat.size > maxBytes) {
      const identity = `large-${stat.ino}-${stat.size}-${stat.mtimeNs}-${stat.ctimeNs}`
      return { content: Buffer.alloc(0), identity }
    }
    return { content: readFileSync(file), identity: null }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}

/** A small text file. */
export function readText(path: string): string | null {
  const { content = null } = readOnce(path) ?? {}
  return content === null || content.length > maxText ? null : decodeText(content)
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}

export function decodeText(content: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
