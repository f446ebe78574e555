import { isPageOf } from '../../hub/access.ts'
import { HttpFault } from '../errors.ts'
import type { Addresses } from './addresses.ts'
import type { Visitor, Visitors } from './callers.ts'
import type { Slowing } from './sign-in-throttle.ts'

/** What a call says about itself before anything of it is done. */
export interface Call {
  method: string
  remote: string
  header(name: string): string | undefined
}

export interface Admission {
  /** Refuses what was sent under a name that is not ours, or from a page that is not ours. */
  checkPlace(call: Call, takes?: Takes): void
  /** Who is calling; refuses those who are nobody. */
  admit(call: Call, options?: AdmitOptions): Promise<Visitor>
  /** The session that a browser has already; null for none. */
  signedIn(call: Call): Promise<Visitor | null>
}

interface AdmitOptions {
  takes?: Takes
  /** For what is read by opening it, and holds nothing that is anybody's. */
  cookieAlone?: boolean
}

/** What the body of a change is. No form of another site can send either: a browser asks us first, and we say no. */
type Takes = 'application/json' | 'application/octet-stream'

export function createAdmission(addresses: Addresses, visitors: Visitors, slowing: Slowing): Admission {
  return { checkPlace, admit, signedIn }

  function checkPlace({ method, header }: Call, takes: Takes = 'application/json') {
    if (!addresses.knowsHost(header('host'))) {
      throw new HttpFault(421, 'not_allowed', 'This server is not known under that name. See --public-url.')
    }
    const origin = header('origin')
    if (origin !== undefined && !addresses.knowsOrigin(origin)) {
      throw new HttpFault(403, 'not_allowed', 'Calls from pages of other sites are not answered.')
    }
    if (isChange(method) && hasBody(header)) checkType(header, takes)
    if ((header('content-encoding') ?? 'identity') !== 'identity') {
      throw new HttpFault(415, 'invalid', 'Send it as it is: what is compressed is not unpacked here.')
    }
  }

  async function admit(call: Call, options: AdmitOptions = {}): Promise<Visitor> {
    const { takes = 'application/json', cookieAlone = false } = options
    checkPlace(call, takes)
    const bearer = bearerOf(call.header('authorization'))
    const secrets = bearer === null ? cookiesOf(call.header('cookie'), addresses.cookie) : [bearer]
    if (secrets.length === 0) throw new HttpFault(401, 'unauthenticated', 'This needs a token, or to be signed in.')
    if (bearer === null) checkPage(call, takes)
    const visitor = await firstKnown(secrets)
    if (visitor && !cookieAlone) refuseOtherPages(visitor, call)
    if (visitor) return visitor
    await slowing.failed(call.remote)
    throw new HttpFault(401, 'unauthenticated', 'The token is not known here, has expired or was revoked.')
  }

  function refuseOtherPages({ grant }: Visitor, { header }: Call) {
    if (grant.kind === 'token' || isPageOf(grant, header('beckon-page'))) return
    throw new HttpFault(401, 'unauthenticated', 'A cookie alone is not enough: sign in on this page.')
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

  /**
   * A cookie comes along by itself, and to every server on this host, whatever its port. So our page has a secret beside
   * it, which it keeps where no page of another origin looks; and a change needs proof that our own page sent it.
   */
  function checkPage({ method, header }: Call, takes: Takes) {
    if (!isChange(method)) return
    if (header('origin') === undefined) {
      throw new HttpFault(403, 'not_allowed', 'A change by a signed-in browser needs an Origin.')
    }
    checkType(header, takes)
  }
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function hasBody(header: Call['header']): boolean {
  return (header('content-length') ?? '0') !== '0' || header('transfer-encoding') !== undefined
}

function checkType(header: Call['header'], takes: Takes): void {
  const [type = ''] = (header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() === takes) return
  const what = takes === 'application/json' ? 'JSON' : 'the file itself'
  throw new HttpFault(415, 'invalid', `Send ${what}, with content-type: ${takes}.`)
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
