import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import * as z from 'zod'
import { isPublic } from '../../system/public-address.ts'
import { ToolError, type WorkTool } from './tool.ts'
import description from './web-fetch.md'

const schema = z.strictObject({ url: z.url({ protocol: /^https?$/ }).describe('An http or https address') })
type Input = z.output<typeof schema>

const timeLimit = 30_000
const maxBytes = 5_000_000
const maxRedirects = 5

export const webFetchTool: WorkTool<Input> = {
  kind: 'work',
  name: 'WebFetch',
  description,
  schema,
  effect: 'none',
  title: ({ url }) => url,

  async run({ url }, { signal }) {
    const response = await follow(new URL(url), AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]))
    const type = response.headers.get('content-type') ?? ''
    const body = await readBody(response)
    const text = /html/i.test(type) ? htmlToText(body) : body
    if (!response.ok) return { output: `HTTP ${response.status}\n${text.slice(0, 2_000)}`, failed: true }
    return { output: text.trim() || '(the page is empty)' }
  },
}

/** Checks every address on the way: a page must not redirect into the private network. */
async function follow(start: URL, signal: AbortSignal): Promise<Response> {
  let url = start
  for (let count = 0; count <= maxRedirects; count += 1) {
    await refusePrivate(url)
    const response = await fetch(url, { signal, redirect: 'manual', headers: { 'user-agent': 'beckon' } }).catch(
      error => {
        throw new ToolError(
          `${url.host} could not be reached: ${describeFetchError(error)}`,
          'Check the address, or continue without it.',
        )
      },
    )
    const next = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || next === null) return response
    await response.body?.cancel()
    url = new URL(next, url)
  }
  throw new ToolError('There were too many redirects.', 'Use another address.')
}

async function refusePrivate(url: URL): Promise<void> {
  if (!/^https?:$/.test(url.protocol)) throw new ToolError(`${url.protocol} is not supported.`, 'Use http or https.')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host)
    ? [host]
    : await lookup(host, { all: true }).then(
        all => all.map(({ address }) => address),
        () => [],
      )
  for (const address of addresses) {
    if (!isPublic(address)) {
      throw new ToolError(
        `${host} is an address of this machine or its network.`,
        'Use curl in Bash; the user may be asked.',
      )
    }
  }
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8', 0, maxBytes)
}

/** Drops scripts, styles and tags; blocks become lines. */
function htmlToText(html: string): string {
  return html
    .replaceAll(/<(script|style|noscript|svg|head)\b[\s\S]*?<\/\1\s*>/gi, ' ')
    .replaceAll(/<!--[\s\S]*?-->/g, ' ')
    .replaceAll(/<(br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/section|\/article|\/pre)\b[^>]*>/gi, '\n')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(#x?[0-9a-f]+|\w+);/gi, decodeEntity)
    .replaceAll(/[ \t\f\v]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith('#')) return entities[name.toLowerCase()] ?? whole
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

function describeFetchError(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message?: string }
  return cause?.code ?? message ?? 'unknown'
}
