import { hash } from 'node:crypto'
import { renderDocs, style } from '../docs-page.ts'
import { describeApi } from '../openapi.ts'
import { apiHeaders, type Handlers, type RouteContext, reply } from '../route-context.ts'

const docsPolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; frame-ancestors 'none'`

export function serverHandlers(
  context: RouteContext,
): Pick<Handlers, 'openapi' | 'docs' | 'health' | 'ready' | 'metrics'> {
  const { version, addresses, metrics, operations, readiness } = context
  return {
    openapi: c => reply(c, describeApi(operations, version, addresses.url)),

    docs: c =>
      c.html(renderDocs(operations, version), 200, {
        'content-security-policy': docsPolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      }),

    health: c => c.json({ ok: true, version }, 200, apiHeaders),

    ready: async c => {
      const fault = await readiness.check()
      if (!fault) return c.json({ ok: true, version }, 200, apiHeaders)
      const message = `The store cannot be read and written (${fault}). The log of the server has the details.`
      const headers = { ...apiHeaders, 'retry-after': '2' }
      return c.json({ error: { code: fault, message, details: null } }, 503, headers)
    },

    metrics: c => c.text(metrics.print(), 200, { ...apiHeaders, 'content-type': 'text/plain; version=0.0.4' }),
  }
}
