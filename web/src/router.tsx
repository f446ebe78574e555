import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'
import { parsePath, paths, type Route } from './route.ts'

export function useRoute(): Route {
  return parsePath(useAddress(() => location.pathname))
}

/** The query string, for a page that keeps its filters there. */
export function useQuery(): string {
  return useAddress(() => location.search)
}

/** A part of the address; renders again when that part changes. */
export function useAddress(part: () => string): string {
  return useSyncExternalStore(subscribe, part)
}

/** The history or runs page that led here, if one did: the back link goes there. */
export function cameFrom(): string | null {
  const { from } = (history.state ?? {}) as { from?: unknown }
  const isOne = typeof from === 'string' && [paths.history, paths.runs].some(path => from.startsWith(path))
  return isOne ? from : null
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
