import type { Tracer } from './tracer.ts'

/** `fetch` that tells the server of the current trace. Outside of all spans it is the plain one. */
export function traceFetch(fetch: typeof globalThis.fetch, tracer: Tracer): typeof globalThis.fetch {
  return async (input, init = {}) => {
    if (tracer.current() === null) return fetch(input, init)
    const { method = 'GET' } = init
    const { hostname, port, protocol } = new URL(String(input))
    const attributes = {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    }
    return tracer.span(method, { kind: 'client', attributes }, async span => {
      const headers = new Headers(init.headers)
      headers.set('traceparent', span.traceparent)
      const response = await fetch(input, { ...init, headers })
      span.set({ 'http.response.status_code': response.status })
      return response
    })
  }
}
