import type { ProgramCall } from '../program-call.ts'

/** The first operands in a row, which say what a program with subcommands shall do: `compute instances delete vm`. */
export function firstWords(call: ProgramCall, most = 6): string {
  return call.operands
    .slice(0, most)
    .map(({ value }) => value)
    .join(' ')
    .slice(0, mostCharacters)
}

/** No command has longer words; patterns need not be good with them. */
export const mostCharacters = 2_000

/** A service that runs on this machine: an emulator, made to be filled and thrown away. */
export function isLocalAddress(address: string | null | undefined): boolean {
  return /^([a-z]+:\/\/)?(localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|host\.docker\.internal|localstack|minio)(:|\/|$)/.test(
    address ?? '',
  )
}
