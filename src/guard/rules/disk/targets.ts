import type { Arg } from '../../interpret/arguments.ts'
import type { Call } from '../../program-call.ts'

/** An image file in the workspace is a file; everything else may be a disk. */
export function isDisk(call: Call, arg: Arg): boolean {
  return !['workspace', 'build', 'tmp', 'sink'].includes(call.pathClass(arg))
}

export function diskOf(call: Call): Arg | false {
  return call.operands.find(arg => isDisk(call, arg) && !/^\d+[kmgt]?$/i.test(arg.value)) ?? false
}
