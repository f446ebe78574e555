import { closeSync, constants, existsSync, mkdirSync, openSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { BeckonError } from '../../protocol/index.ts'
import { translateSqliteError } from './errors.ts'

// The magic numbers of statfs(2) for file systems whose locks or shared memory do not work between machines.
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

/** Creates the folder and an empty file that only their owner can read; SQLite gives its other files the same mode. */
export function prepareFile(file: string, fileSystemType = linuxFileSystemType): void {
  const folder = dirname(file)
  try {
    makeFolder(folder)
    refuseNetworkFileSystem(folder, fileSystemType(folder))
    closeSync(openSync(file, constants.O_CREAT | constants.O_RDWR, 0o600))
  } catch (error) {
    throw translateSqliteError(error, file)
  }
}

/** The same for a backup, which must not exist yet and may be on a network disk. */
export function prepareNewFile(file: string): void {
  if (existsSync(file))
    throw new BeckonError('invalid', `${file} already exists. Choose another name; nothing was overwritten.`)
  prepareFile(file, () => 0)
}

/**
 * Creates a folder and its parents. Node's own `recursive` option never returns where a file system refuses a name
 * altogether, as /proc does.
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
    `${folder} is on a network file system (${name}), where SQLite loses data. Put BECKON_HOME on a local disk, use PostgreSQL (BECKON_DB=postgres://…), or use a hub over HTTP (BECKON_URL).`,
  )
}

function linuxFileSystemType(folder: string): number {
  return process.platform === 'linux' ? statfsSync(folder).type >>> 0 : 0
}
