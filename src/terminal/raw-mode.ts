import type { Terminal } from './terminal.ts'

/** Switches raw mode. Ignores the errors of a terminal that was closed in the meantime. */
export function setRawMode(input: Terminal['input'], isRaw: boolean): void {
  try {
    input.setRawMode?.(isRaw)
  } catch (error) {
    if (!['EIO', 'EBADF', 'ENOTTY'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
