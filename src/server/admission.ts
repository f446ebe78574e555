import type { Addresses } from './addresses.ts'
import { HttpFault } from './errors.ts'
import type { Slowing } from './slowing.ts'
import type { Visitor, Visitors } from './visitors.ts'

/** What a call says about itself before anything of it is done. */
export interface Call {
  method: string
  remote: string
  header(name: string): string | undefined
}

export interface Admission {
  /** Refuses what was sent under a name that is not ours, or from a page that is not ours. */
  checkPlace(call: Call): void
  /** Who is calling; refuses those who are nobody. */
  admit(call: Call): Promise<Visitor>
  /** The session that a browser has already; null for none. */
  signedIn(call: Call): Promise<Visitor | null>
}

export function createAdmission(addresses: Addresses, visitors: Visitors, slowing: Slowing): Admission {
  return { checkPlace, admit, signedIn }

  function checkPlace({ method, header }: Call) {
    if (!addresses.knowsHost(header('host'))) {
      throw new HttpFault(421, 'not_allowed', 'This server is not known under that name. See --public-url.')
    }
    const origin = header('origin')
    if (origin !== undefined && !addresses.knowsOrigin(origin)) {
      throw new HttpFault(403, 'not_allowed', 'Calls from pages of other sites are not answered.')
    }
    if (isChange(method) && hasBody(header) && !isJson(header('content-type'))) {
      throw new HttpFault(415, 'invalid', 'Send JSON, with content-type: application/json.')
    }
    if ((header('content-encoding') ?? 'identity') !== 'identity') {
      throw new HttpFault(415, 'invalid', 'Send it as it is: what is compressed is not unpacked here.')
    }
  }

  async function admit(call: Call): Promise<Visitor> {
    checkPlace(call)
    const bearer = bearerOf(call.header('authorization'))
    const secrets = bearer === null ? cookiesOf(call.header('cookie'), addresses.cookie) : [bearer]
    if (secrets.length === 0) throw new HttpFault(401, 'unauthenticated', 'This needs a token, or to be signed in.')
    if (bearer === null) checkPage(call)
    const visitor = await firstKnown(secrets)
    if (visitor) return visitor
    await slowing.failed(call.remote)
    throw new HttpFault(401, 'unauthenticated', 'The token is not known here, has expired or was revoked.')
  }

  function signedIn({ header }: Call): Promise<Visitor | null> {
    return firstKnown(cookiesOf(header('cookie'), addresses.cookie))
  }

  async function firstKnown(secrets: readonly string[]): Promise<Visitor | null> {
    for (const secret of secrets) {
      const visitor = await visitors.identify(secret)
      if (visitor) return visitor
    }
    return null
  }

  /** A cookie comes along by itself; a change needs proof that our own page sent it. */
  function checkPage({ method, header }: Call) {
    if (!isChange(method)) return
    if (header('origin') === undefined) {
      throw new HttpFault(403, 'not_allowed', 'A change by a signed-in browser needs an Origin.')
    }
    if (!isJson(header('content-type'))) {
      throw new HttpFault(415, 'invalid', 'Send JSON, with content-type: application/json.')
    }
  }
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function hasBody(header: Call['header']): boolean {
  return (header('content-length') ?? '0') !== '0' || header('transfer-encoding') !== undefined
}

function isJson(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(;|$)/i.test(type)
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Whatever else runs on this host can set one of the same name, which the browser may send before ours. */
function cookiesOf(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map(pair => pair.trim().split('=', 2))
  return pairs.flatMap(([key, value]) => (key === name && value ? [value] : [])).slice(0, mostCookies)
}

const mostCookies = 4
