import { BeckonError } from '../../protocol/errors.ts'
import type { ProcessTable } from './entry.ts'
import { linux } from './linux.ts'
import { mac } from './mac.ts'

/** Whether processes can be told apart here from later ones with the same pid. */
export function hasProcessTable(): boolean {
  return ['linux', 'darwin'].includes(process.platform)
}

/** The process table of this system. */
export function processTable(): ProcessTable {
  if (process.platform === 'linux') return linux
  if (process.platform === 'darwin') return mac
  throw new BeckonError('unsupported', `Supervised runs need Linux or macOS; this is ${process.platform}.`)
}
