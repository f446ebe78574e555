import { BeckonError } from '../../protocol/index.ts'

export interface Listening {
  host: string
  port: number
  tls: boolean
  publicUrl: string | null
  /** More names under which this server is reached. */
  names: readonly string[]
}

export interface Addresses {
  /** Where people open it. */
  url: string
  /** The path of `url`, below which everything is served; empty, or such as `/beckon`. */
  base: string
  isSecure: boolean
  /** Whether other devices can open `url`, as far as an address tells. */
  isReachable: boolean
  /** The name of our cookie. Servers on one host share their cookies, whatever the port, so it contains the port. */
  cookie: string
  /** The browser sends the cookie below this path only. */
  cookiePath: string
  knowsHost(host: string | undefined): boolean
  knowsOrigin(origin: string): boolean
}

/**
 * The names of this server. A hostile page can make a browser call any address, and by DNS even under the page's own
 * name; it cannot make the browser lie about that name.
 */
export function addressesOf({ host, port, tls, publicUrl, names }: Listening): Addresses {
  const scheme = tls ? 'https:' : 'http:'
  const own = ['localhost', '127.0.0.1', '[::1]', ...names].map(name => new URL(`${scheme}//${withPort(name, port)}`))
  const shown = publicUrl === null ? new URL(`${scheme}//${withPort(forUrl(host), port)}`) : new URL(publicUrl)
  const known = publicUrl === null ? own : [...own, shown]
  const hosts = new Set(known.map(url => url.host))
  const origins = new Set(known.map(url => url.origin))
  const isSecure = shown.protocol === 'https:'
  const base = shown.pathname.replace(/\/$/, '')
  // Browsers accept __Host- for a whole host only.
  const securePrefix = base === '' ? '__Host-' : '__Secure-'
  return {
    url: shown.href.replace(/\/$/, ''),
    base,
    isSecure,
    isReachable: !isLoopback(shown.hostname.replace(/^\[|\]$/g, '')),
    cookie: isSecure ? `${securePrefix}beckon` : `beckon_${shown.port || '80'}`,
    cookiePath: base === '' ? '/' : `${base}/`,
    knowsHost: host => host !== undefined && hosts.has(host.toLowerCase()),
    knowsOrigin: origin => origins.has(origin),
  }
}

/** A server that the network can reach needs its public name, so that it serves no other. */
export function refuseOpenHost(host: string, publicUrl: string | null): void {
  if (isLoopback(host) || publicUrl !== null) return
  throw new BeckonError(
    'invalid',
    `--host ${host} can be reached from the network: give its address with --public-url, such as https://beckon.example.com.`,
  )
}

/** `flag` is where the address came from. */
export function readPublicUrl(source: string, flag: string): string {
  const url = URL.canParse(source) ? new URL(source) : null
  const path = url?.pathname.replace(/\/$/, '') ?? ''
  const plain = url && /^https?:$/.test(url.protocol) && isPlainPath.test(path) && !/[?#@]/.test(source)
  if (!plain) {
    const examples = 'https://beckon.example.com or https://example.com/beckon'
    throw new BeckonError('invalid', `${flag} must be an address like ${examples}; it is "${source}".`)
  }
  // A proxy may remove the path, or not: what is left must not look like one of these.
  if (isOwnPath.test(path)) {
    throw new BeckonError('invalid', `${flag} cannot be below ${path}, which is a path of the server itself.`)
  }
  return url.origin + path
}

/** Removes the path of the public URL, which a proxy may have removed already. */
export function withoutBase(url: string, base: string): string {
  return base !== '' && url.startsWith(`${base}/`) ? url.slice(base.length) : url
}

// No character that a proxy could write in another way.
const isPlainPath = /^(\/[\w~-][\w.~-]*)*$/
const isOwnPath = /^\/(api|mcp|assets|chat|metrics|healthz|readyz)(\/|$)/

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function forUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

function withPort(name: string, port: number): string {
  return /:\d+$/.test(name) && !name.endsWith(']') ? name : `${name}:${port}`
}
