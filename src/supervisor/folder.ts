import { mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { HolderSpec } from './holder/spec.ts'

/** Where everything of a run lies that is not in the hub: its log, its holder's notes. For its user alone. */
export interface RunFolder {
  path: string
  log: string
  socket: string
}

// What the system allows in the address of a socket, less what it adds itself.
const longestAddress = 100

export function runFolder(home: string, run: string): RunFolder {
  const path = join(home, 'runs', run)
  const socket = join(path, 'holder')
  return {
    path,
    log: join(path, 'log'),
    socket: Buffer.byteLength(socket) <= longestAddress ? socket : join(shortFolder(), run),
  }
}

export function prepareRunFolder({ path, socket }: RunFolder, spec: Omit<HolderSpec, 'socket'>): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  writeFileSync(join(path, 'spec.json'), JSON.stringify({ ...spec, socket } satisfies HolderSpec), { mode: 0o600 })
}

function shortFolder(): string {
  const folder = join(tmpdir(), `beckon-${userInfo().uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return folder
}
