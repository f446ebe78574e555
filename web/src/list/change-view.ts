import { isSideBySide } from '../browser/media.ts'
import { parsePath } from '../route.ts'
import { go } from '../router.tsx'
import { inboxPath, requestPath, type View } from '../state/view.ts'

/** Narrows the list down, beside the request that is open: a person who types should not have to look at another one. */
export function changeView(view: View): void {
  const route = parsePath(location.pathname)
  const stays = route.page === 'request' && isSideBySide()
  go(stays ? requestPath(route.id, view) : inboxPath(view), { replace: true })
}
