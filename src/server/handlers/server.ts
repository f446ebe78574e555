import { hash } from 'node:crypto'
import { renderDocs, style } from '../docs-page.ts'
import { contentType } from '../metrics/metrics.ts'
import { describeApi } from '../openapi.ts'
import { apiHeaders, callOf, type Handlers, type RouteContext, reply } from '../route-context.ts'

const docsPolicy = `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; frame-ancestors 'none'`

export function serverHandlers(
  context: RouteContext,
): Pick<Handlers, 'openapi' | 'docs' | 'limits' | 'health' | 'ready' | 'metrics'> {
  const { version, addresses, authentication, metrics, operations, readiness, limits } = context
  let described: string | null = null
  return {
    // Needs no token, and still answers no page of another site.
    openapi: c => {
      authentication.checkOrigin(callOf(c))
      described ??= JSON.stringify(describeApi(operations, version, addresses.url))
      return c.body(described, 200, { ...apiHeaders, 'content-type': 'application/json' })
    },

    docs: c =>
      c.html(renderDocs(operations, version), 200, {
        'content-security-policy': docsPolicy,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      }),

    limits: c => reply(c, limits),

    health: c => c.json({ ok: true, version }, 200, apiHeaders),

    ready: async c => {
      const fault = await readiness.check()
      if (!fault) return c.json({ ok: true, version }, 200, apiHeaders)
      const message = `The store cannot be read and written (${fault}). The log of the server has the details.`
      const headers = { ...apiHeaders, 'retry-after': '2' }
      return c.json({ error: { code: fault, message, details: null } }, 503, headers)
    },

    metrics: async c => c.text(await metrics.print(), 200, { ...apiHeaders, 'content-type': contentType }),
  }
}
