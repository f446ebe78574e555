import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

export type Route =
  | { readonly page: 'inbox' }
  | { readonly page: 'request'; readonly id: string }
  | { readonly page: 'runs' }
  | { readonly page: 'run'; readonly id: string }
  | { readonly page: 'history' }
  | { readonly page: 'settings' }
  | { readonly page: 'not-found' }

export function parsePath(path: string): Route {
  const [first = '', id, ...rest] = path.split('/').filter(Boolean).map(decoded)
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
  inbox: '/',
  runs: '/runs',
  history: '/history',
  settings: '/settings',
  request: (id: string) => `/requests/${encodeURIComponent(id)}`,
  run: (id: string) => `/runs/${encodeURIComponent(id)}`,
}

export function useRoute(): Route {
  return parsePath(useSyncExternalStore(subscribe, () => location.pathname))
}

/** The query string, for a page that keeps its filters there. */
export function useQuery(): string {
  return useSyncExternalStore(subscribe, () => location.search)
}

/** The history or runs page that led here, if one did: the back link goes there. */
export function cameFrom(): string | null {
  const { from } = (history.state ?? {}) as { from?: unknown }
  return typeof from === 'string' && /^\/(history|runs)\b/.test(from) ? from : null
}

export function go(path: string, options: { replace?: boolean } = {}): void {
  if (path === location.pathname + location.search) return
  if (options.replace) history.replaceState(history.state, '', path)
  else history.pushState({ from: location.pathname + location.search }, '', path)
  window.dispatchEvent(new PopStateEvent('popstate'))
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  /** Called before the page navigates. */
  onOpen?: () => void
}

export function Link({ href, onOpen, ...rest }: LinkProps) {
  return <a href={href} onClick={follow} {...rest} />

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
    if (!plain || event.defaultPrevented) return
    event.preventDefault()
    onOpen?.()
    go(href)
  }
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('popstate', changed)
  return () => window.removeEventListener('popstate', changed)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
