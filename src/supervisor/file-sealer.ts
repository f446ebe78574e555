import type { Sealer } from '../secrets/seal.ts'

/** Seals files that lie on this machine and hold secrets. */
export interface FileSealer {
  seal(name: string, text: string): Promise<Uint8Array>
  open(name: string, bytes: Buffer): Promise<string>
}

/** The key is loaded at each call: most commands seal nothing, and a lost key may be back by the next one. */
export function createFileSealer(loadSealer: () => Promise<Sealer>): FileSealer {
  return {
    seal: async (name, text) => (await loadSealer()).seal(name, text).bytes,
    open: async (name, bytes) => (await loadSealer()).open(name, bytes),
  }
}
