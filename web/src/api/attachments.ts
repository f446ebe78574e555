import { writeCall } from '../../../src/protocol/operations/arguments.ts'
import { operation } from '../../../src/protocol/operations/index.ts'
import { isPicture } from '../../../src/protocol/picture.ts'
import type { Request } from '../../../src/protocol/request.ts'
import { open } from './call.ts'

// Five megabytes over a slow line.
const longest = 300_000

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
  const response = await open(path, {}, signal ?? AbortSignal.timeout(longest))
  const type = isPicture(file) ? file.type : 'application/octet-stream'
  return new Blob([await response.arrayBuffer()], { type })
}
