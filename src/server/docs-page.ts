import type { Operation } from '../protocol/operations/index.ts'

/** The API as a page to read, without a script. */
export function renderDocs(operations: readonly Operation[], version: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Beckon over HTTP</title><style>${style}</style>
<h1>Beckon ${escapeHtml(version)} over HTTP</h1>
<p>Send <code>Authorization: Bearer TOKEN</code> (create one with <code>beckon token create</code>) and JSON. An error is
<code>{ "error": { "code", "message", "details" } }</code>. The schemas are in <a href="openapi.json">openapi.json</a>.</p>
<table><thead><tr><th>call<th>scope<th>body<th>result<th>what it does</thead><tbody>
${operations.map(renderRow).join('\n')}
</tbody></table></html>
`
}

function renderRow({ method, path, scope, query, body, result, form, summary }: Operation): string {
  const call = `<code>${method} ${escapeHtml(path)}</code>${query ? `<br><small>?${query}</small>` : ''}`
  const cells = [call, scope ?? 'none', body ?? '', result ?? form ?? '', renderSummary(summary)]
  return `<tr>${cells.map(cell => `<td>${cell}`).join('')}`
}

function renderSummary(text: string): string {
  return escapeHtml(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>')
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

export const style =
  ':root{color-scheme:light dark;font:16px/1.5 system-ui}body{max-width:75rem;margin:2rem auto;padding:0 1rem}' +
  'table{border-collapse:collapse}td,th{text-align:left;vertical-align:top;padding:.4rem .8rem;border-bottom:1px solid #8884}'
