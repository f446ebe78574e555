import { bodies } from '../../protocol/operations/schemas.ts'
import { parse } from '../../protocol/parse.ts'
import type { SignedInCaller } from '../access/callers.ts'
import { deviceOf } from '../access/device.ts'
import { makePhoneLink, signInUrl } from '../access/sign-in-url.ts'
import { HttpFault } from '../errors.ts'
import { bodyOf, callOf, type Handlers, type RouteContext, reply } from '../route-context.ts'

type SessionHandlers = Pick<Handlers, Extract<keyof Handlers, `sessions.${string}`>>

/** Signing a browser in and out. The secret of a link is in its fragment, so only our own page can spend it. */
export function sessionHandlers(context: RouteContext): SessionHandlers {
  const { addresses, authentication, callers, signInThrottle, clientAddress } = context
  const { sessions } = context.hub.access
  return {
    'sessions.signIn': async c => {
      authentication.checkOrigin(callOf(c))
      const { secret } = parse(bodies.SignIn, await bodyOf(c))
      const session = await sessions.signIn(secret, deviceOf(c.req.header('user-agent')))
      if (!session) {
        await signInThrottle.delayFailure(clientAddress(callOf(c)))
        const message = 'This sign-in link is not valid: it was used before or has expired. Ask for a new one.'
        throw new HttpFault(401, 'unauthenticated', message)
      }
      const before = await authentication.currentSession(callOf(c))
      if (before) await end(before, before.grant.id)
      return reply(c, { ...describe(session.grant), page: session.page }, 200, {
        'set-cookie': cookie(session.secret, session.grant.expiresAt),
      })
    },

    'sessions.current': c => reply(c, describe(c.get('caller').grant)),

    'sessions.signOut': async c => {
      const caller = c.get('caller')
      // Signing out does not end a token.
      const ended = caller.grant.kind === 'session' && (await end(caller, caller.grant.id))
      return reply(c, { ended }, 200, { 'set-cookie': cookie('', 0) })
    },

    'sessions.list': async c => reply(c, { sessions: await sessions.list(c.get('caller').grant) }),

    'sessions.end': async c => {
      const id = c.req.param('id') as string
      const caller = c.get('caller')
      if (!(await end(caller, id))) throw new HttpFault(404, 'not_found', `There is no session ${id}.`)
      return reply(c, { ended: [id] }, 200, id === caller.grant.id ? { 'set-cookie': cookie('', 0) } : {})
    },

    // As after a phone was lost.
    'sessions.endOthers': async c => {
      const ended = await sessions.endOthers(c.get('caller').grant)
      await callers.drop(ended)
      return reply(c, { ended })
    },

    'sessions.makeLink': async c => {
      const { name, scope, id: maker } = c.get('caller').grant
      const { secret, expiresAt } = await sessions.makeLink({ name, scope, maker })
      return reply(c, { url: signInUrl(addresses.url, secret), expiresAt: new Date(expiresAt).toISOString() }, 201)
    },

    'sessions.makePhoneLink': async c => {
      const { name, id: maker } = c.get('caller').grant
      const link = await makePhoneLink(context.hub, addresses, { name, maker })
      return reply(c, link ?? { url: null, expiresAt: null }, 201)
    },
  }

  async function end({ grant }: SignedInCaller, id: string): Promise<boolean> {
    const ended = await sessions.end(grant, id)
    await callers.drop(ended)
    return ended.length > 0
  }

  function cookie(value: string, expiresAt: number | null): string {
    const secure = addresses.isSecure ? '; Secure' : ''
    const until = expiresAt === null ? '' : `; Expires=${new Date(expiresAt).toUTCString()}`
    return `${addresses.cookie}=${value}; Path=${addresses.cookiePath}; HttpOnly; SameSite=Strict${secure}${until}`
  }
}

function describe({ name, scope, expiresAt }: SignedInCaller['grant']) {
  return { user: name, scope, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() }
}
