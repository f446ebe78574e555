import type { ReadStream, WriteStream } from 'node:tty'

/** A person's keyboard and screen. Passed in, so that tests can provide their own. */
export interface Terminal {
  input: NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>> & { fd?: number }
  output: NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>> & { fd?: number }
  env: NodeJS.ProcessEnv
}

export function hasColour({ output, env }: Pick<Terminal, 'output' | 'env'>): boolean {
  return Boolean(output.isTTY) && !env.NO_COLOR && env.TERM !== 'dumb'
}

/** Whether it can draw frames and read single keys; otherwise prompts use plain lines. */
export function isRich({ input, output, env }: Terminal): boolean {
  return Boolean(input.isTTY && output.isTTY && input.setRawMode) && env.TERM !== 'dumb' && env.TERM !== undefined
}

// Terminals that do not know their size report 0.
export function columnsOf({ output }: Terminal): number {
  return Math.max(10, output.columns || 80)
}

export function rowsOf({ output }: Terminal): number {
  return Math.max(5, output.rows || 24)
}
