import type { Terminal } from './terminal.ts'

/** Every key as it is typed, or lines. A terminal that was closed under us takes neither, and that is no fault. */
export function setRawMode(input: Terminal['input'], isRaw: boolean): void {
  try {
    input.setRawMode?.(isRaw)
  } catch (error) {
    if (!['EIO', 'EBADF', 'ENOTTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
