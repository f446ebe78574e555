import { BeckonError } from '../protocol/errors.ts'
import type { ProcessTable } from './processes-entry.ts'
import { linux } from './processes-linux.ts'
import { mac } from './processes-mac.ts'

/** The system's own list of processes. */
export function processTable(): ProcessTable {
  if (process.platform === 'linux') return linux
  if (process.platform === 'darwin') return mac
  throw new BeckonError('unsupported', `Supervised runs need Linux or macOS; this is ${process.platform}.`)
}
