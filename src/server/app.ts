import { Hono } from 'hono'
import { answerChat } from './chat-callbacks.ts'
import { HttpFault, replyTo, WrongMethod } from './errors.ts'
import { createMethodLookup } from './path-patterns.ts'
import { apiHeaders, callOf, type Env, type RouteContext } from './route-context.ts'
import { bindOperations } from './router.ts'

/** Everything but calls that are held open and the fast path: `listener.ts` sends those past the app. */
export function createApp(context: RouteContext): Hono<Env> {
  const { authentication, addresses, staticPage } = context
  const methodsOf = createMethodLookup(context.operations)
  const app = new Hono<Env>()
  app.onError((error, c) => {
    const { status, headers, body } = replyTo(error)
    if (status >= 500) context.log.error({ path: c.req.path, error }, 'a call failed')
    return c.json(body, status as 200, { ...apiHeaders, ...headers })
  })
  bindOperations(app, context)
  app.all('/api/*', async c => {
    await authentication.authenticate(callOf(c))
    refuseMethod(c.req.method, c.req.path)
    throw new HttpFault(404, 'not_found', `There is no ${c.req.path}. See /api/openapi.json.`)
  })
  app.all('/chat/*', c => answerChat(c, context))
  app.get('*', c => {
    authentication.checkOrigin(callOf(c))
    refuseMethod(c.req.method, c.req.path)
    const { status, headers, body } = staticPage.find(c.req.path, c.req.header('accept-encoding'), addresses.isSecure)
    return c.body(body, status as 200, headers)
  })
  app.notFound(c => {
    authentication.checkOrigin(callOf(c))
    refuseMethod(c.req.method, c.req.path)
    throw new WrongMethod(c.req.method, c.req.path, 'GET, HEAD')
  })
  return app

  function refuseMethod(method: string, path: string): void {
    const allowed = methodsOf(path)
    if (allowed.length > 0) throw new WrongMethod(method, path, allowed.join(', '))
  }
}
