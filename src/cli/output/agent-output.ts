import { createHarmlessStream } from '../../text/harmless-stream.ts'
import type { Context } from '../context.ts'
import { print } from './print.ts'

export type AgentOutput = ReturnType<typeof createAgentOutput>

/** Prints what an agent wrote: the exact bytes to a program, and on a terminal nothing that controls it. */
export function createAgentOutput({ stdout, stderr }: Pick<Context, 'stdout' | 'stderr'>) {
  const streams = { out: printerFor(stdout), err: printerFor(stderr) }
  return {
    print: (stream: 'out' | 'err', bytes: Uint8Array | string) => streams[stream].print(bytes),
    async end(): Promise<void> {
      for (const { end } of Object.values(streams)) await end()
    },
  }
}

function printerFor(to: Context['stdout']) {
  if (!to.isTTY) return { print: (bytes: Uint8Array | string) => print(to, bytes), end: async () => {} }
  const { push, end } = createHarmlessStream()
  return { print: (bytes: Uint8Array | string) => print(to, push(bytes)), end: () => print(to, end()) }
}
