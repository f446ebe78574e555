import { isPageSecret } from '../../hub/access/grant.ts'
import { HttpFault } from '../errors.ts'
import type { Addresses } from './addresses.ts'
import type { Call } from './call.ts'
import type { SignedInCaller, SignedInCallers } from './callers.ts'
import type { ClientAddress } from './client-address.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface Authentication {
  /** Refuses a call to a host name that is not ours, or from a page that is not ours. */
  checkOrigin(call: Call, contentType?: ContentType): void
  /** Finds out who is calling; refuses a call without a valid token or cookie. */
  authenticate(call: Call, options?: AuthenticateOptions): Promise<SignedInCaller>
  /** The session that a browser has already; null for none. */
  currentSession(call: Call): Promise<SignedInCaller | null>
}

interface AuthenticateOptions {
  contentType?: ContentType
  /** For pages that are opened by their address and show nothing that belongs to anybody. */
  cookieIsEnough?: boolean
}

/** The body of a change. A form of another site can send neither: the browser asks us first, and we refuse. */
type ContentType = 'application/json' | 'application/octet-stream'

export function createAuthentication(
  addresses: Addresses,
  callers: SignedInCallers,
  signInThrottle: SignInThrottle,
  clientAddress: ClientAddress,
): Authentication {
  return { checkOrigin, authenticate, currentSession }

  function checkOrigin({ method, header }: Call, contentType: ContentType = 'application/json') {
    if (!addresses.knowsHost(header('host'))) {
      throw new HttpFault(421, 'not_allowed', 'This server does not know that host name. See --public-url.')
    }
    const origin = header('origin')
    if (origin !== undefined && !addresses.knowsOrigin(origin)) {
      throw new HttpFault(403, 'not_allowed', 'Calls from pages of other sites are refused.')
    }
    if (isChange(method) && hasBody(header)) checkContentType(header, contentType)
    if ((header('content-encoding') ?? 'identity') !== 'identity') {
      throw new HttpFault(415, 'invalid', 'Send the body uncompressed.')
    }
  }

  async function authenticate(call: Call, options: AuthenticateOptions = {}): Promise<SignedInCaller> {
    const { contentType = 'application/json', cookieIsEnough = false } = options
    checkOrigin(call, contentType)
    const bearer = bearerOf(call.header('authorization'))
    const secrets = bearer === null ? cookiesOf(call.header('cookie'), addresses.cookie) : [bearer]
    if (secrets.length === 0) throw new HttpFault(401, 'unauthenticated', 'Send a token, or sign in.')
    if (bearer === null) checkChangeFromPage(call, contentType)
    const caller = await firstKnown(secrets)
    if (caller && !cookieIsEnough) refuseOtherPages(caller, call)
    if (caller) return caller
    await signInThrottle.delayFailure(clientAddress(call))
    throw new HttpFault(401, 'unauthenticated', 'The token is unknown, has expired or was revoked.')
  }

  function refuseOtherPages({ grant }: SignedInCaller, { header }: Call) {
    if (grant.kind === 'token' || isPageSecret(grant, header('beckon-page'))) return
    throw new HttpFault(401, 'unauthenticated', 'A cookie alone is not enough: sign in on this page.')
  }

  function currentSession({ header }: Call): Promise<SignedInCaller | null> {
    return firstKnown(cookiesOf(header('cookie'), addresses.cookie))
  }

  async function firstKnown(secrets: readonly string[]): Promise<SignedInCaller | null> {
    for (const secret of secrets) {
      const caller = await callers.identify(secret)
      if (caller) return caller
    }
    return null
  }

  /**
   * A browser sends a cookie on its own, and to every server on this host, whatever the port. So our page has a second
   * secret, stored where no page of another origin can read it; and a change needs proof that our own page sent it.
   */
  function checkChangeFromPage({ method, header }: Call, contentType: ContentType) {
    if (!isChange(method)) return
    if (header('origin') === undefined) {
      throw new HttpFault(403, 'not_allowed', 'A change from a signed-in browser needs an Origin header.')
    }
    checkContentType(header, contentType)
  }
}

function isChange(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD'
}

function hasBody(header: Call['header']): boolean {
  return (header('content-length') ?? '0') !== '0' || header('transfer-encoding') !== undefined
}

function checkContentType(header: Call['header'], contentType: ContentType): void {
  const [type = ''] = (header('content-type') ?? '').split(';')
  if (type.trim().toLowerCase() === contentType) return
  const what = contentType === 'application/json' ? 'JSON' : 'the file itself'
  throw new HttpFault(415, 'invalid', `Send ${what}, with content-type: ${contentType}.`)
}

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1] ?? null
}

/** Another server on this host can set a cookie of the same name, and the browser may send that one first. */
function cookiesOf(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map(pair => pair.trim().split('=', 2))
  return pairs.flatMap(([key, value]) => (key === name && value ? [value] : [])).slice(0, mostCookies)
}

const mostCookies = 4
