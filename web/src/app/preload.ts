import { pageHeader } from '../api/page-secret.ts'
import { parsePath } from '../route.ts'
import { preloadInbox } from '../state/inbox.ts'
import { openRequest } from '../state/opened.ts'
import { signInOnce } from './signing-in.ts'

/**
 * Before there is anything to show it on, and all at the same time: who is signed in, the request that was opened, and the
 * list. On a slow line each of them waits once for the server, not one for the other. Ends when all of it is there.
 */
export async function preload(): Promise<void> {
  const isSigningIn = location.hash.includes('signin=')
  const signedIn = signInOnce()
  if (isSigningIn || Object.keys(pageHeader()).length === 0) return void (await signedIn)
  const route = parsePath(location.pathname)
  const opened = route.page === 'request' ? openRequest(route.id) : null
  await Promise.allSettled([signedIn, opened, preloadInbox()])
}
