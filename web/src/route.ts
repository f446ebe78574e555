// Without React: the file that starts before the page needs it, too.

import { base } from './base.ts'

export type Route =
  | { readonly page: 'inbox' }
  | { readonly page: 'request'; readonly id: string }
  | { readonly page: 'runs' }
  | { readonly page: 'run'; readonly id: string }
  | { readonly page: 'history' }
  | { readonly page: 'settings' }
  | { readonly page: 'not-found' }

export function parsePath(path: string): Route {
  if (!`${path}/`.startsWith(`${base}/`)) return { page: 'not-found' }
  const [first = '', id, ...rest] = path.slice(base.length).split('/').filter(Boolean).map(decoded)
  if (rest.length > 0) return { page: 'not-found' }
  switch (first) {
    case '':
      return { page: 'inbox' }
    case 'requests':
      return id ? { page: 'request', id } : { page: 'inbox' }
    case 'runs':
      return id ? { page: 'run', id } : { page: 'runs' }
    case 'history':
    case 'settings':
      return id ? { page: 'not-found' } : { page: first }
    default:
      return { page: 'not-found' }
  }
}

export const paths = {
  inbox: `${base}/`,
  runs: `${base}/runs`,
  history: `${base}/history`,
  settings: `${base}/settings`,
  request: (id: string) => `${base}/requests/${encodeURIComponent(id)}`,
  run: (id: string) => `${base}/runs/${encodeURIComponent(id)}`,
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
