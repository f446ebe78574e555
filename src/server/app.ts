import { Hono } from 'hono'
import { HttpFault, replyTo, WrongMethod } from './errors.ts'
import { methodsOf } from './methods.ts'
import { apiHeaders, callOf, type Env, type Parts, refuseAgents } from './route-context.ts'
import { descriptionRoutes, descriptions } from './routes/description.ts'
import { eventRoutes } from './routes/events.ts'
import { fileRoutes, isUpload } from './routes/files.ts'
import { keptRoutes } from './routes/kept.ts'
import { notifyRoutes } from './routes/notify.ts'
import { requestRoutes } from './routes/requests.ts'
import { ruleRoutes } from './routes/rules.ts'
import { runRoutes } from './routes/runs.ts'
import { sessionRoutes } from './routes/session.ts'
import { tokenRoutes } from './routes/tokens.ts'

/** Everything but what is held open: that is written to the connection itself, by `listener.ts`. */
export function createApp(parts: Parts): Hono<Env> {
  const { admission, addresses, metrics, shell, version } = parts
  const app = new Hono<Env>()
  app.onError((error, c) => {
    const { status, headers, body } = replyTo(error)
    if (status >= 500) parts.log.error({ path: c.req.path, error }, 'a call failed')
    return c.json(body, status as 200, { ...apiHeaders, ...headers })
  })
  app.get('/healthz', c => c.json({ ok: true, version }, 200, apiHeaders))
  app.use('/api/*', async (c, next) => {
    if (c.req.path === '/api/session' && c.req.method === 'POST') {
      admission.checkPlace(callOf(c))
      return next()
    }
    const takes = isUpload(c.req.method, c.req.path) ? 'application/octet-stream' : 'application/json'
    const cookieAlone = descriptions.includes(c.req.path)
    c.set('visitor', await admission.admit(callOf(c), { takes, cookieAlone }))
    return next()
  })
  app.get('/metrics', async c => {
    refuseAgents(await admission.admit(callOf(c)))
    return c.text(metrics.print(), 200, { ...apiHeaders, 'content-type': 'text/plain; version=0.0.4' })
  })
  sessionRoutes(app, parts)
  requestRoutes(app, parts)
  fileRoutes(app, parts)
  eventRoutes(app)
  runRoutes(app, parts)
  keptRoutes(app)
  ruleRoutes(app, parts)
  tokenRoutes(app, parts)
  notifyRoutes(app, parts)
  descriptionRoutes(app, parts)
  app.all('/api/*', c => {
    refuseMethod(c.req.method, c.req.path)
    throw new HttpFault(404, 'not_found', `There is no ${c.req.path}. See /api/openapi.json.`)
  })
  app.get('*', c => {
    admission.checkPlace(callOf(c))
    const { status, headers, body } = shell.find(c.req.path, c.req.header('accept-encoding'), addresses.isSecure)
    return c.body(body, status as 200, headers)
  })
  app.notFound(c => {
    admission.checkPlace(callOf(c))
    refuseMethod(c.req.method, c.req.path)
    throw new WrongMethod(c.req.method, c.req.path, 'GET, HEAD')
  })
  return app
}

function refuseMethod(method: string, path: string): void {
  const allowed = methodsOf(path)
  if (allowed.length > 0) throw new WrongMethod(method, path, allowed.join(', '))
}
