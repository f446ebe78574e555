import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { acceptedEncoding } from './accepted-encoding.ts'

export interface StaticPage {
  find(path: string, acceptEncoding: string | undefined, isSecure: boolean): PageReply
}

interface PageReply {
  status: number
  headers: Record<string, string>
  body: Uint8Array<ArrayBuffer> | string
}

interface File {
  bytes: Uint8Array<ArrayBuffer>
  /** As the build has compressed it. */
  compressed: { br?: Uint8Array<ArrayBuffer>; gzip?: Uint8Array<ArrayBuffer> }
  type: string
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
}
// How scripts/build/compress-page.ts names what it has compressed.
const endings = { '.br': 'br', '.gz': 'gzip' } as const

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// A script, a style sheet or a picture of the page: a browser obeys the other headers for documents and workers only.
const isPart = /^\/assets\/.*\.(js|css|png|svg)$/
const partHeaders = { 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' }

/**
 * The page for the browser. Its files are read once and found by name: no path of a caller ever reaches the disk. The
 * page contains no secret, so everybody gets it. `base` is the path below which the browser finds it, such as `/beckon`.
 */
export function createStaticPage(folder: string | null, base = ''): StaticPage {
  const files = folder && existsSync(join(folder, 'index.html')) ? readFiles(folder) : new Map<string, File>()
  const index = files.get('/index.html')
  if (index && base !== '') files.set('/index.html', below(base, index))
  return { find }

  function find(path: string, acceptEncoding = '', isSecure: boolean): PageReply {
    const file = files.get(path)
    if (file) return replyWith(file, path, acceptEncoding, isSecure)
    if (path.startsWith('/assets/'))
      return { status: 404, headers: safetyHeaders(isSecure), body: 'There is no such file.\n' }
    // Any other path is one of the page's own routes.
    const page = files.get('/index.html')
    return page ? replyWith(page, '/index.html', acceptEncoding, isSecure) : notBuilt(base, isSecure)
  }
}

/** The one file that names others by their path from the root: whatever it loads finds the rest by its own address. */
function below(base: string, { bytes, type }: File): File {
  const html = Buffer.from(bytes)
    .toString()
    .replaceAll(/(href|src)="\//g, `$1="${base}/`)
  const [plain, br, gzip] = [Buffer.from(html), brotliCompressSync(html), gzipSync(html)].map(
    part => new Uint8Array(part),
  )
  return { bytes: plain as File['bytes'], compressed: { br, gzip } as File['compressed'], type }
}

function replyWith(
  { bytes, compressed, type }: File,
  path: string,
  acceptEncoding: string,
  isSecure: boolean,
): PageReply {
  const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  const safety = isPart.test(path) ? partHeaders : safetyHeaders(isSecure)
  const headers = { ...safety, 'content-type': type, 'cache-control': cache, vary: 'accept-encoding' }
  const encoding = acceptedEncoding(acceptEncoding)
  const body = encoding && compressed[encoding]
  if (body) return { status: 200, headers: { ...headers, 'content-encoding': encoding }, body }
  return { status: 200, headers, body: bytes }
}

function notBuilt(base: string, isSecure: boolean): PageReply {
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Beckon</title>
<h1>Beckon is running</h1>
<p>The web page was not built. Build it with <code>npm run build</code> and start the server again. Meanwhile everything
works from a terminal: <code>beckon inbox</code>, and over HTTP: <a href="${base}/api/docs">/api/docs</a>.</p></html>\n`
  return { status: 200, headers: { ...safetyHeaders(isSecure), 'content-type': 'text/html; charset=utf-8' }, body }
}

function safetyHeaders(isSecure: boolean): Record<string, string> {
  return {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    ...(isSecure ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}

function readFiles(folder: string): Map<string, File> {
  const files = new Map<string, File>()
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile())
  // What is compressed comes after what it was made from.
  for (const { parentPath, name } of entries.toSorted((a, b) => a.name.length - b.name.length)) {
    const path = join(parentPath, name)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    const ending = extname(name)
    const bytes = new Uint8Array(readFileSync(path))
    const original = files.get(address.slice(0, -ending.length))
    if (original && ending in endings) original.compressed[endings[ending as keyof typeof endings]] = bytes
    else files.set(address, { bytes, compressed: {}, type: types[ending] ?? 'application/octet-stream' })
  }
  return files
}
