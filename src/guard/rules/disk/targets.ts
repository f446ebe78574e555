import type { Argument } from '../../interpret/arguments.ts'
import type { ProgramCall } from '../../program-call.ts'

/** Anything but a file in the workspace or in a temporary folder may be a disk. */
export function isDisk(call: ProgramCall, arg: Argument): boolean {
  return !['workspace', 'build', 'tmp', 'sink'].includes(call.pathClass(arg))
}

export function diskOf(call: ProgramCall): Argument | false {
  return call.operands.find(arg => isDisk(call, arg) && !/^\d+[kmgt]?$/i.test(arg.value)) ?? false
}
