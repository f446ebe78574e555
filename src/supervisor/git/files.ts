import { randomBytes } from 'node:crypto'
import type { Stats } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rename, rmdir, symlink, unlink } from 'node:fs/promises'
import { BeckonError } from '../../protocol/errors.ts'
import { foldersAbove, fromBytes, pathOf, toText } from './names.ts'

/** The files to write and to remove in the working tree. */
export interface Moves {
  readonly write: string[]
  readonly remove: string[]
}

/** Files that block the path of a file to write, and that are neither removed nor saved. */
export async function findInTheWay(root: string, moves: Moves): Promise<string[]> {
  const removed = new Set(moves.remove)
  const found = new Set<string>()
  for (const name of moves.write) {
    for (const folder of foldersAbove(name)) {
      const stats = await look(root, folder)
      if (stats && !stats.isDirectory() && !removed.has(folder)) found.add(folder)
      if (!stats?.isDirectory()) break
    }
    const stats = await look(root, name)
    if (stats?.isDirectory()) {
      for (const inside of await filesIn(root, name)) if (!removed.has(inside)) found.add(inside)
    }
  }
  return [...found]
}

/** Moves each file atomically. If it is interrupted, it can start over. */
export async function moveIntoPlace(root: string, staging: string, { write, remove }: Moves): Promise<void> {
  for (const name of remove) {
    await step(name, async () => {
      await unlink(pathOf(root, name)).catch(unlessMissing)
      await removeEmptyAbove(root, name)
    })
  }
  for (const name of write) {
    await step(name, async () => {
      const stats = await look(root, name)
      if (stats?.isDirectory()) await removeFolders(root, name)
      for (const folder of foldersAbove(name)) await mkdir(pathOf(root, folder)).catch(unlessThere)
      if (stats?.isFile()) await takeMode(pathOf(staging, name), stats.mode)
      await move(pathOf(staging, name), pathOf(root, name))
    })
  }
}

async function look(root: string, name: string): Promise<Stats | null> {
  return lstat(pathOf(root, name)).catch(unlessMissing)
}

function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null
  throw error
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

/** All entries below that are not folders. */
async function filesIn(root: string, folder: string): Promise<string[]> {
  const names: string[] = []
  for (const entry of await readdir(pathOf(root, folder), { withFileTypes: true, encoding: 'buffer' })) {
    const name = `${folder}/${fromBytes(entry.name)}`
    if (entry.isDirectory()) names.push(...(await filesIn(root, name)))
    else names.push(name)
  }
  return names
}

async function step(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    const code = reason === 'ENOSPC' || reason === 'EDQUOT' ? 'disk_full' : 'read_only'
    const message = `${toText(name)} cannot be restored (${reason}). Other files may have been. Fix this and restore again.`
    throw new BeckonError(code, message, null, error)
  }
}

async function removeEmptyAbove(root: string, name: string): Promise<void> {
  for (const folder of foldersAbove(name).reverse()) {
    const gone = await rmdir(pathOf(root, folder)).then(
      () => true,
      () => false,
    )
    if (!gone) return
  }
}

async function removeFolders(root: string, folder: string): Promise<void> {
  for (const entry of await readdir(pathOf(root, folder), { withFileTypes: true, encoding: 'buffer' })) {
    if (entry.isDirectory()) await removeFolders(root, `${folder}/${fromBytes(entry.name)}`)
  }
  await rmdir(pathOf(root, folder))
}

/** Git stores only whether a file is executable. A file that others could not read stays that way. */
async function takeMode(staged: Buffer, mode: number): Promise<void> {
  const stats = await lstat(staged)
  if (!stats.isFile()) return
  const readable = mode & 0o666
  const executable = (stats.mode & 0o100) !== 0 ? (readable & 0o444) >> 2 : 0
  await chmod(staged, readable | executable)
}

async function move(from: Buffer, to: Buffer): Promise<void> {
  await rename(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EXDEV') throw error
    // The repository is on another file system than the tree: copy next to the file, then rename.
    const copy = Buffer.concat([to, Buffer.from(`.${randomBytes(6).toString('hex')}`)])
    if ((await lstat(from)).isSymbolicLink()) await symlink(await readlink(from, { encoding: 'buffer' }), copy)
    else await copyFile(from, copy)
    await rename(copy, to)
  })
}
