import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { writeFileAtomically } from '../../system/atomic-file.ts'
import { readOrNull } from '../../system/machine-fault.ts'
import { refuseUnlessPrivate, runtimeFolder } from '../../system/runtime-folder.ts'
import { createSecret } from './authenticate.ts'
import type { HolderSpec } from './spec.ts'

// The holder of a run listens on a socket in the run's folder or, where that path is too long for a socket, in the user's
// runtime folder. Its settings, with the path and the secret, are in the run's folder: the next supervisor reads them there.

/** Where a holder listens, and the secret that it must know; null for a holder of an earlier version. */
export interface HolderAddress {
  socket: string
  secret: string | null
}

// The system's limit for the path of a socket, with some room to spare.
const longestSocketPath = 100

/** Writes the settings of a new holder, with a new secret. */
export function prepareHolder(folder: string, settings: Omit<HolderSpec, 'socket' | 'secret'>): HolderAddress {
  const inside = socketInside(folder)
  const socket = fits(inside) ? inside : join(runtimeFolder(), basename(folder))
  const secret = createSecret()
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeFileAtomically(join(folder, 'spec.json'), JSON.stringify({ ...settings, socket, secret } satisfies HolderSpec))
  return { socket, secret }
}

/** The holder that a run has or had. Refuses a socket where another user could have put one; null where there is none. */
export function addressOf(folder: string): HolderAddress | null {
  const spec = readSpec(folder)
  if (spec === null) return null
  const { socket, secret = null } = spec
  if (socket !== socketInside(folder)) {
    // The machine was restarted, or the person has signed out: the folder of the socket is gone, and so is the holder.
    if (!existsSync(dirname(socket))) return null
    refuseUnlessPrivate(dirname(socket))
  }
  return { socket, secret }
}

/** Ids of the requests whose answers are in the command that started the agent. */
export function answersInCommandOf(folder: string): string[] {
  return readSpec(folder)?.given ?? []
}

/** The path of its socket. Reads the settings only where the path does not follow from the folder. */
export function socketOf(folder: string): string {
  const inside = socketInside(folder)
  return fits(inside) ? inside : (readSpec(folder)?.socket ?? inside)
}

function socketInside(folder: string): string {
  return join(folder, 'holder')
}

function fits(socket: string): boolean {
  return Buffer.byteLength(socket) <= longestSocketPath
}

function readSpec(folder: string): HolderSpec | null {
  return readOrNull(() => JSON.parse(readFileSync(join(folder, 'spec.json'), 'utf8')))
}
