import { pageHeader } from '../api/page-secret.ts'
import { parsePath } from '../router.tsx'
import { preloadInbox } from '../state/inbox.ts'
import { openRequest } from '../state/opened.ts'
import { signInOnce } from './signing-in.ts'

/**
 * Before there is anything to show it on, and all at the same time: who is signed in, the request that was opened, and the
 * list. On a slow line each of them waits once for the server, not one for the other.
 */
export function preload(): void {
  const isSigningIn = location.hash.includes('signin=')
  void signInOnce()
  if (isSigningIn || Object.keys(pageHeader()).length === 0) return
  const route = parsePath(location.pathname)
  if (route.page === 'request') openRequest(route.id).catch(() => {})
  preloadInbox()
}
