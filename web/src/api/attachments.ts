import { writeCall } from '../../../src/protocol/operations/arguments.ts'
import { operation } from '../../../src/protocol/operations/index.ts'
import { isPicture } from '../../../src/protocol/picture.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { refusalOf, Unreachable } from './call.ts'
import { pageHeader } from './page-secret.ts'

export type Attachment = Request['attachments'][number]

/**
 * The bytes of a file. A picture's address alone opens nothing: the call carries the page's secret, as every call does,
 * which an `<img>` could not. Whatever is not a picture has a type that no browser shows.
 */
export async function loadAttachment(
  request: string,
  file: Pick<Attachment, 'id' | 'type'>,
  signal?: AbortSignal,
): Promise<Blob> {
  const { path } = writeCall(operation['attachments.read'], [request, file.id])
  const init = { headers: pageHeader(), credentials: 'same-origin', ...(signal ? { signal } : {}) } as const
  const response = await fetch(path, init).catch(error => {
    if (signal?.aborted) throw error
    throw new Unreachable('The server cannot be reached.')
  })
  if (!response.ok) throw refusalOf(response.status, response.statusText, await response.text())
  const type = isPicture(file) ? file.type : 'application/octet-stream'
  return new Blob([await response.arrayBuffer()], { type })
}
