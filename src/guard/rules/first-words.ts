import type { ProgramCall } from '../program-call.ts'

/** The first operands as one text; they say what a program with subcommands does: `compute instances delete vm`. */
export function firstWords(call: ProgramCall, most = 6): string {
  return call.operands
    .slice(0, most)
    .map(({ value }) => value)
    .join(' ')
    .slice(0, mostCharacters)
}

/** No real command is longer, and the rules' patterns need not handle longer text. */
export const mostCharacters = 2_000

/** Whether a service runs on this machine, as a disposable emulator. */
export function isLocalAddress(address: string | null | undefined): boolean {
  return /^([a-z]+:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|localstack|minio)(:|\/|$)/.test(
    address ?? '',
  )
}
