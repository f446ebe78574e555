import { hash, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context } from 'hono'
import { acceptedEncoding, type Encoding } from './encodings.ts'
import type { Env } from './route-context.ts'

const compressors: Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>> = {
  br: bytes => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: bytes => promisify(gzip)(bytes),
}

const worthwhile = 1_000
const mostPadding = 64

/**
 * Compresses what a handler sends, and sends nothing where the caller has it already (`ETag`).
 *
 * Whoever can put text into an answer and see how long its ciphertext is can guess a secret in the same answer letter by
 * letter: a right guess compresses better (BREACH). Agents write into most answers. So only the operations whose entry
 * says `compressible` are compressed: their answers hold no token, link, draft or sealed value. Other people's agents
 * may still be in the same list, so the length is blurred, too.
 */
export async function compress(c: Context<Env>, response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  const headers = new Headers(response.headers)
  const tag = `W/"${hash('sha1', bytes, 'base64url')}"`
  headers.set('etag', tag)
  headers.append('vary', 'accept-encoding')
  if (knows(c.req.header('if-none-match'), tag)) {
    headers.delete('content-type')
    return new Response(null, { status: 304, headers })
  }
  const encoding = bytes.length < worthwhile ? null : acceptedEncoding(c.req.header('accept-encoding'))
  if (encoding === null) return new Response(bytes, { headers })
  headers.set('content-encoding', encoding)
  headers.set('beckon-padding', '.'.repeat(randomInt(mostPadding)))
  return new Response(new Uint8Array(await compressors[encoding](bytes)), { headers })
}

function knows(header: string | undefined, tag: string): boolean {
  return header?.split(',').some(known => known.trim() === tag) ?? false
}
