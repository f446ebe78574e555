import { closeSync, constants, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BeckonError } from '../../protocol/index.ts'
import { sqliteFault } from './faults.ts'

// The magic numbers of statfs(2) for file systems whose locks or shared memory do not hold between machines.
const networkFileSystems: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x5346414f: 'AFS',
  0x73757245: 'Coda',
  0x00c36400: 'Ceph',
  0x01021997: '9P',
  0x0bd00bd0: 'Lustre',
  0x47504653: 'GPFS',
  0x7461636f: 'OCFS2',
  0x19830326: 'BeeGFS',
}

/** Makes the folder and an empty file that only their owner can read; SQLite gives its other files the same rights. */
export function prepareFile(file: string, fileSystemType = linuxFileSystemType): void {
  const folder = dirname(file)
  try {
    makeFolder(folder)
    refuseNetworkFileSystem(folder, fileSystemType(folder))
    closeSync(openSync(file, constants.O_CREAT | constants.O_RDWR, 0o600))
  } catch (error) {
    throw sqliteFault(error, file)
  }
}

/** The same for a copy, which must not be there yet, and may well be kept on a network disk. */
export function prepareNewFile(file: string): void {
  if (existsSync(file)) throw new BeckonError('invalid', `${file} exists already, and is not overwritten.`)
  prepareFile(file, () => 0)
}

/**
 * Makes a folder and those above it. Not by Node's own `recursive`, which never comes back where a file system denies
 * that a name can exist at all, as /proc does.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const parent = dirname(folder)
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return
    if (!isMissing(error) || parent === folder || existsSync(parent)) throw error
    makeFolder(parent)
    makeFolder(folder)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function refuseNetworkFileSystem(folder: string, type: number): void {
  const name = networkFileSystems[type]
  if (!name) return
  throw new BeckonError(
    'network_fs',
    `${folder} is on a network file system (${name}), where SQLite loses data. Put BECKON_HOME on a local disk, use PostgreSQL (BECKON_DB=postgres://…), or talk to a hub by BECKON_URL.`,
  )
}

function linuxFileSystemType(folder: string): number {
  return process.platform === 'linux' ? statfsSync(folder).type >>> 0 : 0
}
