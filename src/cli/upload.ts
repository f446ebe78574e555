import { constants, createWriteStream } from 'node:fs'
import { mkdir, open, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { homeOf } from '../home.ts'
import { invalid } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import { dependencyLimits } from '../protocol/limits.ts'
import type { Request } from '../protocol/request.ts'
import { uploadFolder } from '../supervisor/folder.ts'
import type { Context } from './context.ts'

interface Upload {
  path: string
  /** Nobody was told of it. */
  discard(): Promise<void>
}

/** Copies what a person gives, a file or stdin, to where the agent may read it; for their user alone. */
export async function upload(context: Context, hub: HubApi, request: Request, source: string): Promise<Upload> {
  if (request.kind !== 'dependency' || request.type !== 'file') throw cannot(`${request.id} does not ask for a file`)
  if (request.status !== 'pending') return { path: '', discard: async () => {} }
  await refuseOtherHost(hub, request)
  const folder = uploadFolder(homeOf(context.env), request)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await createFile(folder, safeName(source === '-' ? request.name : basename(source)))
  try {
    await copy(context, source, file.path)
    return file
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** A path is of use where the agent is, and this is the place for it on this machine alone. */
async function refuseOtherHost(hub: HubApi, { run }: Request): Promise<void> {
  if (run === null) return
  const { host } = await hub.getRun(run)
  const { hostname } = await import('node:os')
  if (host !== hostname()) throw cannot(`the agent works on ${host}; run this command there`)
}

/** Letters, digits, dots, dashes: a name that is nothing but a name, to a shell, too. */
export function safeName(wish: string): string {
  const plain = wish
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+/, '')
  return [...plain].slice(0, 100).join('') || 'file'
}

/** Under a name that is free; nothing that is there is ever written over. */
async function createFile(folder: string, name: string): Promise<Upload> {
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${n}-${name}`)
    try {
      await (await open(path, 'wx', 0o600)).close()
      return { path, discard: () => discard(path) }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

async function discard(path: string): Promise<void> {
  await rm(path, { force: true })
  // The folder, too, if it was only for this one.
  await rmdir(dirname(path)).catch(() => {})
}

async function copy({ cwd, stdin }: Context, source: string, target: string): Promise<void> {
  const handle = source === '-' ? null : await openSource(resolve(cwd, source), source)
  const input = handle ? handle.createReadStream() : stdin
  await pipeline(input, atMost(dependencyLimits.upload), createWriteStream(target, { flags: 'r+' }))
}

async function openSource(path: string, source: string) {
  try {
    // A pipe without a writer would be waited for.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await handle.stat()).isFile()) return handle
    await handle.close()
  } catch (error) {
    throw cannot(`${source} cannot be read: ${(error as Error).message}`)
  }
  throw cannot(`${source} is not a file; give a pipe by --upload -`)
}

function atMost(bytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk, _, done) {
      size += chunk.length
      if (size > bytes) done(cannot(`is too large: at most ${bytes / 1_048_576} MiB`))
      else done(null, chunk)
    },
  })
}

function cannot(message: string) {
  return invalid([{ path: 'upload', message }])
}
