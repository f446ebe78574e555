import {
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
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

/** Creates the folder of the database, which only its owner can read. */
export function prepareFolder(file: string, fileSystemType = linuxFileSystemType): void {
  const folder = dirname(file)
  try {
    makeFolder(folder)
    refuseNetworkFileSystem(folder, fileSystemType(folder))
  } catch (error) {
    throw translateSqliteError(error, file)
  }
}

/** Creates the empty file of a backup, which must not exist yet and may be on a network disk. */
export function prepareNewFile(file: string): void {
  if (existsSync(file))
    throw new BeckonError('invalid', `${file} already exists. Choose another name; nothing was overwritten.`)
  prepareFolder(file, () => 0)
  try {
    createPrivateFile(file)
  } catch (error) {
    throw translateSqliteError(error, file)
  }
}

/** An empty file that only its owner can read; SQLite gives the files beside it the same mode. False where it exists. */
export function createPrivateFile(file: string): boolean {
  try {
    closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, 0o600))
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/** Where a path leads, also where there is nothing yet: what is renamed must not take the place of a link. */
export function realPathOf(file: string): string {
  if (existsSync(file)) return realpathSync(file)
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
  if (isLink) return realPathOf(resolve(dirname(file), readlinkSync(file)))
  return existsSync(dirname(file)) ? join(realpathSync(dirname(file)), basename(file)) : file
}

/** Makes a rename survive a power cut. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') sync(folder, constants.O_RDONLY)
}

/** Makes what was copied survive a power cut. Not while SQLite has the file open: it would lose its locks. */
export function syncFile(file: string): void {
  sync(file, constants.O_RDWR)
}

function sync(path: string, flags: number): void {
  const fd = openSync(path, flags)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
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
