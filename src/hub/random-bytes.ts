import { randomBytes as nodesRandomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * Random bytes that nobody can predict: those of the kernel, which Node's own generator begins with. To load Node's takes
 * as long as a twentieth of the start of a command, so it is used where the kernel's cannot be read.
 */
export function randomBytes(size: number): Buffer {
  return (process.platform === 'win32' ? null : kernelsRandomBytes(size)) ?? nodesRandomBytes(size)
}

function kernelsRandomBytes(size: number): Buffer | null {
  try {
    const device = openSync('/dev/urandom', 'r')
    try {
      const bytes = Buffer.alloc(size)
      return fstatSync(device).isCharacterDevice() && readSync(device, bytes) === size ? bytes : null
    } finally {
      closeSync(device)
    }
  } catch {
    return null
  }
}
