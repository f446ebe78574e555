import { hash } from 'node:crypto'
import type { Hono } from 'hono'
import { describeApi } from '../openapi.ts'
import { type Operation, operations } from '../operations/index.ts'
import { type Env, type Parts, reply } from '../route-context.ts'

export const descriptions = ['/api/openapi.json', '/api/docs']

/** The API described: for programs, and as a page to read. */
export function descriptionRoutes(app: Hono<Env>, { version, addresses }: Parts): void {
  app.get('/api/openapi.json', c => reply(c, describeApi(version, addresses.url)))
  app.get('/api/docs', c =>
    c.html(page(version), 200, {
      'content-security-policy': `default-src 'none'; style-src 'sha256-${hash('sha256', style, 'base64')}'; base-uri 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    }),
  )
}

function page(version: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Beckon over HTTP</title><style>${style}</style>
<h1>Beckon ${escaped(version)} over HTTP</h1>
<p>Send <code>Authorization: Bearer TOKEN</code> (make one with <code>beckon token create</code>) and JSON. A refusal is
<code>{ "error": { "code", "message", "details" } }</code>. The schemas are in <a href="/api/openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>call<th>scope<th>sent<th>answered<th>what for</thead><tbody>
${operations.map(row).join('\n')}
</tbody></table></html>
`
}

function row({ method, path, scope, query = {}, body, result, summary }: Operation): string {
  const names = Object.keys(query).join(', ')
  const call = `<code>${method} ${escaped(path)}</code>${names ? `<br><small>?${escaped(names)}</small>` : ''}`
  const cells = [call, scope ?? 'none', escaped(body ?? ''), escaped(result), marked(summary)]
  return `<tr>${cells.map(cell => `<td>${cell}`).join('')}`
}

function marked(text: string): string {
  return escaped(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui}body{max-width:75rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.4rem .8rem;border-bottom:1px solid #8884}'
