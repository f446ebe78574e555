import { type Attachment, attachmentLimits, BeckonError, isPicture } from '../../protocol/index.ts'
import { HttpFault } from '../errors.ts'
import { checkedQuery } from '../read-call.ts'
import { readBytes, refuseLength } from '../read-json.ts'
import { apiHeaders, type Handlers, type RouteContext, reply } from '../route-context.ts'

/** Files that came with a request. What an agent attached is hostile: only pictures are ever shown, and nothing runs. */
export function attachmentHandlers({
  limitRate,
}: RouteContext): Pick<Handlers, 'attachments.read' | 'attachments.add'> {
  return {
    'attachments.read': async c => {
      const { attachments } = c.get('caller').hub
      const id = c.req.param('id') as string
      const wanted = c.req.param('attachment') as string
      const found = (await attachments.list(id)).find(({ id }) => id === wanted)
      if (!found) throw new BeckonError('not_found', `There is no attachment ${wanted}.`)
      const headers = headersOf(found)
      if (namesTag(c.req.header('if-none-match'), headers.etag)) return c.body(null, 304, headers)
      const bytes = await attachments.read(id, wanted)
      return c.body(new Uint8Array(bytes), 200, { ...headers, 'content-length': String(bytes.length) })
    },

    'attachments.add': async c => {
      const caller = c.get('caller')
      const { name } = checkedQuery('Attach', c.req.query())
      const length = c.req.header('content-length')
      refuseLength(length, attachmentLimits.bytes)
      limitRate(caller, Number(length ?? attachmentLimits.bytes))
      const data = await readBytes(c.req.raw.body ?? new Blob([]).stream(), attachmentLimits.bytes)
      const added = caller.hub.attachments.add(c.req.param('id') as string, { name, data })
      return reply(c, await added.catch(refuseSettled), 201)
    },
  }
}

// One file for good: its address may be kept, by this caller alone. Opened by its address, it is a document that can do
// nothing and belongs to no origin.
function headersOf({ name, type, hash }: Attachment) {
  const shown = isPicture({ type })
  return {
    ...apiHeaders,
    'content-type': shown ? type : 'application/octet-stream',
    'content-disposition': `${shown ? 'inline' : 'attachment'}; ${fileNames(name)}`,
    'content-security-policy': "sandbox; default-src 'none'",
    'cache-control': 'private, max-age=31536000, immutable',
    vary: 'authorization, cookie, beckon-page',
    etag: `"${hash}"`,
    'repr-digest': `sha-256=:${Buffer.from(hash, 'hex').toString('base64')}:`,
  }
}

/** The same name twice, as RFC 6266 has it: in ASCII, and whole. */
function fileNames(name: string): string {
  const safe = safeName(name)
  const ascii = safe.replaceAll(/[^\w .()+-]/g, '_')
  const whole = encodeURIComponent(safe).replaceAll(/['()*]/g, char => `%${char.charCodeAt(0).toString(16)}`)
  return `filename="${ascii}"; filename*=UTF-8''${whole}`
}

/** Nothing that a file system, a shell or a reader takes for something else: `exe.‮gnp` reads as a picture. */
function safeName(name: string): string {
  return name.replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|%]/gu, '_').replace(/^[.~-]+/, '_')
}

function namesTag(header: string | undefined, tag: string): boolean {
  return (header ?? '').split(',').some(one => one.trim().replace(/^W\//, '') === tag)
}

function refuseSettled(error: unknown): never {
  if (!(error instanceof BeckonError) || error.code !== 'changed') throw error
  throw new HttpFault(409, error.code, error.message, error.details)
}
