import { constants } from 'node:fs'
import { type FileHandle, open, realpath } from 'node:fs/promises'
import { basename, relative, resolve } from 'node:path'
import { type AttachmentInput, sizeProblem } from '../protocol/attachment.ts'
import { invalid } from '../protocol/errors.ts'
import { attachmentLimits } from '../protocol/limits.ts'

export interface ReadOptions {
  /** What relative paths start from. */
  directory: string
  /** Only files in these folders, wherever links lead; without it, every file that this user can read. */
  within?: readonly string[]
}

/** Reads files of this machine to attach them to a request. Each problem names its file. */
export async function readAttachments(paths: readonly string[], options: ReadOptions): Promise<AttachmentInput[]> {
  if (paths.length > attachmentLimits.files) {
    throw invalid([{ path: 'attachments', message: `has too many files: at most ${attachmentLimits.files}` }])
  }
  const files: AttachmentInput[] = []
  for (const [i, path] of paths.entries()) files.push(await readAttachment(path, `attachments[${i}]`, options))
  return files
}

async function readAttachment(path: string, field: string, options: ReadOptions): Promise<AttachmentInput> {
  const refuse = (problem: string) => invalid([{ path: field, message: `${JSON.stringify(path)} ${problem}` }])
  const handle = await openFile(resolve(options.directory, path), options.within).catch(error => {
    throw refuse(problemOf(error))
  })
  try {
    const found = await handle.stat()
    if (found.isDirectory()) throw refuse('is a folder; attach its files')
    if (!found.isFile()) throw refuse('is not a regular file')
    const data = await readAtMost(handle, attachmentLimits.bytes + 1)
    const problem = sizeProblem(Math.max(data.length, found.size > attachmentLimits.bytes ? found.size : 0))
    if (problem) throw refuse(problem)
    return { name: basename(resolve(path)), data }
  } finally {
    await handle.close()
  }
}

async function openFile(path: string, within: readonly string[] | undefined): Promise<FileHandle> {
  const real = await realpath(path)
  if (within && !(await isWithinOne(real, within))) throw new OutsideFolders()
  // Without O_NONBLOCK, opening a FIFO waits for a writer.
  return open(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
}

class OutsideFolders extends Error {}

async function isWithinOne(path: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) {
    const real = await realpath(folder).catch(() => null)
    if (real !== null && !/^(\.\.([/\\]|$)|$|[A-Za-z]:|[/\\])/.test(relative(real, path))) return true
  }
  return false
}

function problemOf(error: unknown): string {
  if (error instanceof OutsideFolders) return 'is outside of the working directory and the temporary folder'
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'does not exist'
  if (code === 'EACCES' || code === 'EPERM') return 'cannot be read: permission denied'
  if (code === 'ERR_INVALID_ARG_VALUE') return 'is not a path'
  return `cannot be read: ${message}`
}

/** A file of the kernel says that it is empty, and a log may grow while it is read. */
async function readAtMost(handle: FileHandle, most: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let size = 0; size < most; ) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(most - size, 1_048_576)), 0)
    if (bytesRead === 0) break
    parts.push(buffer.subarray(0, bytesRead))
    size += bytesRead
  }
  return Buffer.concat(parts)
}
