import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { refuseUpload, storeUpload, type Upload } from '../../supervisor/upload.ts'
import { homeOf } from '../../system/home.ts'
import type { Context } from '../context.ts'

/** Copies a person's file, or stdin, to a place that the agent can read. */
export function upload(context: Context, hub: HubApi, request: Request, source: string): Promise<Upload> {
  const named = source === '-' ? ('name' in request ? request.name : '') : basename(source)
  return storeUpload(homeOf(context.env), hub, request, {
    name: named,
    input: async () => (source === '-' ? context.stdin : readSource(resolve(context.cwd, source), source)),
  })
}

async function readSource(path: string, source: string) {
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await handle.stat()).isFile()) return handle.createReadStream()
    await handle.close()
  } catch (error) {
    throw refuseUpload(`${source} cannot be read: ${(error as Error).message}`)
  }
  throw refuseUpload(`${source} is not a file; for a pipe, use --upload -`)
}
