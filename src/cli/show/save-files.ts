import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { BeckonError, invalid } from '../../protocol/errors.ts'
import type { HubApi } from '../../protocol/hub.ts'
import type { Request } from '../../protocol/request.ts'
import { safeName } from '../../supervisor/upload.ts'
import { harmless } from '../../text/harmless.ts'
import type { Context } from '../context.ts'
import { errorMessage } from '../output/error-message.ts'

/** Saves the files of a request. Their names are made safe, and no file is ever overwritten. */
export async function saveFiles(context: Context, hub: HubApi, request: Request, folder: string): Promise<void> {
  if (request.attachments.length === 0) throw new BeckonError('not_found', `${request.id} has no files.`)
  const target = resolve(context.cwd, folder)
  for (const { id, name } of request.attachments) {
    const bytes = await hub.attachments.read(request.id, id)
    const path = await saveNew(target, safeName(name), bytes).catch(error => {
      throw invalid([{ path: 'save', message: `cannot be written: ${errorMessage(error)}` }])
    })
    context.stderr.write(`Saved ${harmless(path)}\n`)
  }
}

async function saveNew(folder: string, name: string, bytes: Uint8Array): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (let n = 1; ; n += 1) {
    const path = join(folder, n === 1 ? name : `${n}-${name}`)
    try {
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
