import { bodies } from '../../protocol/operations/schemas.ts'
import { parse } from '../../protocol/parse.ts'
import type { SignedInCaller } from '../access/callers.ts'
import { deviceOf } from '../access/device.ts'
import { signInUrl } from '../access/sign-in-url.ts'
import { HttpFault } from '../errors.ts'
import { bodyOf, callOf, type Handlers, type RouteContext, reply } from '../route-context.ts'

type SessionHandlers = Pick<Handlers, Extract<keyof Handlers, `sessions.${string}`>>

/** Signing a browser in and out. The secret of a link is in its fragment, so only our own page can spend it. */
export function sessionHandlers(context: RouteContext): SessionHandlers {
  const { addresses, authentication, callers, signInThrottle } = context
  const { sessions } = context.hub.access
  return {
    'sessions.signIn': async c => {
      authentication.checkOrigin(callOf(c))
      const { secret } = parse(bodies.SignIn, await bodyOf(c))
      const session = await sessions.signIn(secret, deviceOf(c.req.header('user-agent')))
      if (!session) {
        await signInThrottle.delayFailure(callOf(c).remote)
        const message = 'This sign-in link is not valid: it was used before or has expired. Ask for a new one.'
        throw new HttpFault(401, 'unauthenticated', message)
      }
      const before = await authentication.currentSession(callOf(c))
      if (before) await end(before)
      return reply(c, { ...describe(session.grant), page: session.page }, 200, {
        'set-cookie': cookie(session.secret, session.grant.expiresAt),
      })
    },

    'sessions.current': c => reply(c, describe(c.get('caller').grant)),

    'sessions.signOut': async c => {
      const ended = await end(c.get('caller'))
      return reply(c, { ended }, 200, { 'set-cookie': cookie('', 0) })
    },

    'sessions.list': async c => reply(c, { sessions: await sessions.list(c.get('caller').grant) }),

    'sessions.end': async c => {
      const id = c.req.param('id') as string
      const session = (await sessions.list(c.get('caller').grant)).find(one => one.id === id)
      if (!session) throw new HttpFault(404, 'not_found', `There is no session ${id}.`)
      await endById(id)
      return reply(c, { ended: [id] }, 200, session.current ? { 'set-cookie': cookie('', 0) } : {})
    },

    // As after a phone was lost.
    'sessions.endOthers': async c => {
      const { grant } = c.get('caller')
      const others = (await sessions.list(grant)).filter(one => one.user === grant.name && !one.current)
      for (const { id } of others) await endById(id)
      return reply(c, { ended: others.map(({ id }) => id) })
    },

    'sessions.makeLink': async c => {
      const { name, scope } = c.get('caller').grant
      const { secret, expiresAt } = await sessions.makeLink({ name, scope })
      return reply(c, { url: signInUrl(addresses.url, secret), expiresAt: new Date(expiresAt).toISOString() }, 201)
    },
  }

  /** Signing out does not end a token. */
  async function end({ grant }: SignedInCaller): Promise<boolean> {
    if (grant.kind !== 'session') return false
    await endById(grant.id)
    return true
  }

  async function endById(id: string): Promise<void> {
    await sessions.end(id)
    await callers.drop(id)
  }

  function cookie(value: string, expiresAt: number | null): string {
    const secure = addresses.isSecure ? '; Secure' : ''
    const until = expiresAt === null ? '' : `; Expires=${new Date(expiresAt).toUTCString()}`
    return `${addresses.cookie}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${until}`
  }
}

function describe({ name, scope, expiresAt }: SignedInCaller['grant']) {
  return { user: name, scope, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() }
}
