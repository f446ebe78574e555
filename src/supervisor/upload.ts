import { createWriteStream } from 'node:fs'
import { mkdir, open, rm, rmdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type BeckonError, invalid } from '../protocol/errors.ts'
import type { HubApi } from '../protocol/hub.ts'
import { dependencyLimits } from '../protocol/limits.ts'
import type { Request } from '../protocol/request.ts'
import { uploadFolder } from './folder.ts'

export interface Upload {
  path: string
  /** Deletes the file, if the answer that names it is not stored. */
  discard(): Promise<void>
}

/** Stores a person's file where the agent can read it, for their user alone. Reads the input once everything else is valid. */
export async function storeUpload(
  home: string,
  hub: Pick<HubApi, 'runs'>,
  request: Request,
  { name, input }: { name: string; input: () => Promise<AsyncIterable<string | Uint8Array>> },
): Promise<Upload> {
  if (request.kind !== 'dependency' || request.type !== 'file')
    throw refuseUpload(`${request.id} does not ask for a file`)
  if (request.status !== 'pending') return { path: '', discard: async () => {} }
  await refuseOtherHost(hub, request)
  const folder = uploadFolder(home, request)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const file = await createFile(folder, safeName(name))
  try {
    await pipeline(await input(), atMost(dependencyLimits.upload), createWriteStream(file.path, { flags: 'r+' }))
    return file
  } catch (error) {
    await file.discard()
    throw error
  }
}

/** The agent can only read a path on its own machine. */
async function refuseOtherHost(hub: Pick<HubApi, 'runs'>, { run }: Request): Promise<void> {
  if (run === null) return
  const { host } = await hub.runs.get(run)
  if (host !== hostname()) throw refuseUpload(`the agent works on ${host}; give the file there`)
}

/** Letters, digits, dots and dashes: a name without meaning to a shell or a path. */
export function safeName(given: string): string {
  const plain = given
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '_')
    .replace(/^[._-]+/, '')
  return [...plain].slice(0, 100).join('') || 'file'
}

/** Takes a free name: it never overwrites a file. */
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
  // The folder too, if it held only this file.
  await rmdir(dirname(path)).catch(() => {})
}

function atMost(bytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk, _, done) {
      size += chunk.length
      if (size > bytes) done(refuseUpload(`is too large: at most ${bytes / 1_048_576} MiB`))
      else done(null, chunk)
    },
  })
}

export function refuseUpload(message: string): BeckonError {
  return invalid([{ path: 'upload', message }])
}
