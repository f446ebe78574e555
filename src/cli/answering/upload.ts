import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { refuseUpload, storeUpload, type Upload } from '../../supervisor/upload.ts'
import { homeOf } from '../../system/home.ts'
import type { Context } from '../context.ts'

/** Copies what a person gives, a file or stdin, to where the agent may read it. */
export function upload(context: Context, hub: HubApi, request: Request, source: string): Promise<Upload> {
  const named = source === '-' ? ('name' in request ? request.name : '') : basename(source)
  return storeUpload(homeOf(context.env), hub, request, {
    name: named,
    input: async () => (source === '-' ? context.stdin : readSource(resolve(context.cwd, source), source)),
  })
}

async function readSource(path: string, source: string) {
  try {
    // A pipe without a writer would be waited for.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if ((await handle.stat()).isFile()) return handle.createReadStream()
    await handle.close()
  } catch (error) {
    throw refuseUpload(`${source} cannot be read: ${(error as Error).message}`)
  }
  throw refuseUpload(`${source} is not a file; give a pipe by --upload -`)
}
