import type { ReadStream, WriteStream } from 'node:tty'

/** Where a person sits: what they type, and what they see. Passed in, so that a test can be one too. */
export interface Terminal {
  input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>> & { fd?: number }
  output: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>
  env: NodeJS.ProcessEnv
}

export function hasColour({ output, env }: Terminal): boolean {
  return Boolean(output.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** Whether frames can be drawn and keys be read one by one; otherwise it is lines. */
export function isRich({ input, output, env }: Terminal): boolean {
  return Boolean(input.isTTY && output.isTTY && input.setRawMode) && env.TERM !== 'dumb' && env.TERM !== undefined
}

// A terminal that does not know its size says 0.
export function columnsOf({ output }: Terminal): number {
  return Math.max(10, output.columns || 80)
}

export function rowsOf({ output }: Terminal): number {
  return Math.max(5, output.rows || 24)
}
