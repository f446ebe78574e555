import type { Hono } from 'hono'
import * as z from 'zod'
import { parse } from '../../protocol/parse.ts'
import type { Visitor } from '../access/callers.ts'
import { deviceOf } from '../access/device.ts'
import { HttpFault } from '../errors.ts'
import { bodyOf, callOf, type Env, type Parts, refuseAgents, reply } from '../route-context.ts'

const signInSchema = z.strictObject({ secret: z.string().min(1).max(500) })

/** Signing a browser in and out. The secret of the link is in its fragment, so only our own page can spend it. */
export function sessionRoutes(app: Hono<Env>, { hub, addresses, admission, visitors, slowing }: Parts): void {
  app.post('/api/session', async c => {
    const { secret } = parse(signInSchema, await bodyOf(c))
    const session = await hub.access.signIn(secret, deviceOf(c.req.header('user-agent')))
    if (!session) {
      await slowing.failed(callOf(c).remote)
      throw new HttpFault(
        401,
        'unauthenticated',
        'The link was used before, has expired, or is none. Ask for a new one.',
      )
    }
    const before = await admission.signedIn(callOf(c))
    if (before) await end(before)
    return reply(c, { ...describe(session.grant), page: session.page }, 200, {
      'set-cookie': cookie(session.secret, session.grant.expiresAt),
    })
  })

  app.get('/api/session', c => reply(c, describe(c.get('visitor').grant)))

  app.delete('/api/session', async c => {
    const ended = await end(c.get('visitor'))
    return reply(c, { ended }, 200, { 'set-cookie': cookie('', 0) })
  })

  app.get('/api/sessions', async c => {
    refuseAgents(c.get('visitor'))
    return reply(c, { sessions: await hub.access.sessions(c.get('visitor').grant) })
  })

  app.delete('/api/sessions/:id', async c => {
    refuseAgents(c.get('visitor'))
    const id = c.req.param('id')
    const session = (await hub.access.sessions(c.get('visitor').grant)).find(one => one.id === id)
    if (!session) throw new HttpFault(404, 'not_found', `There is no session ${id}.`)
    await endById(id)
    return reply(c, { ended: [id] }, 200, session.current ? { 'set-cookie': cookie('', 0) } : {})
  })

  // Every other browser of the same person, as after a phone was lost.
  app.delete('/api/sessions', async c => {
    refuseAgents(c.get('visitor'))
    const { grant } = c.get('visitor')
    const others = (await hub.access.sessions(grant)).filter(one => one.user === grant.name && !one.current)
    for (const { id } of others) await endById(id)
    return reply(c, { ended: others.map(({ id }) => id) })
  })

  // For another device of the same person.
  app.post('/api/session/links', async c => {
    refuseAgents(c.get('visitor'))
    const { name, scope } = c.get('visitor').grant
    const { secret, expiresAt } = await hub.access.makeLink({ name, scope })
    return reply(c, { url: signInUrl(addresses.url, secret), expiresAt: new Date(expiresAt).toISOString() }, 201)
  })

  /** A token is not ended by signing out. */
  async function end({ grant }: Visitor): Promise<boolean> {
    if (grant.kind !== 'session') return false
    await endById(grant.id)
    return true
  }

  async function endById(id: string): Promise<void> {
    await hub.access.end(id)
    await visitors.drop(id)
  }

  function cookie(value: string, expiresAt: number | null): string {
    const secure = addresses.isSecure ? '; Secure' : ''
    const until = expiresAt === null ? '' : `; Expires=${new Date(expiresAt).toUTCString()}`
    return `${addresses.cookie}=${value}; Path=/; HttpOnly; SameSite=Strict${secure}${until}`
  }
}

export function signInUrl(url: string, secret: string): string {
  return `${url}/#signin=${secret}`
}

function describe({ name, scope, expiresAt }: Visitor['grant']) {
  return { user: name, scope, expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString() }
}
