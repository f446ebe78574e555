import { writeCall } from '../../src/protocol/operations/arguments.ts'
import { operation } from '../../src/protocol/operations/index.ts'
import { askEarly } from './api/early.ts'
import { pageHeader } from './api/page-secret.ts'
import { parsePath } from './route.ts'
import { currentView, firstRows } from './state/view.ts'

// A file of its own, which runs while the browser still loads the page: what the first picture shows is there as soon as
// the page is. The page then makes the same calls, and finds their answers on the way (api/call.ts).
const isSigningIn = location.hash.includes('signin=')
if (!isSigningIn && Object.keys(pageHeader()).length > 0) {
  const route = parsePath(location.pathname)
  askEarly(writeCall(operation['sessions.current'], []).path)
  if (route.page === 'request') askForRequest(route.id)
  askEarly(writeCall(operation.inbox, [{ ...currentView(), limit: firstRows }]).path)
}

function askForRequest(id: string): void {
  try {
    askEarly(writeCall(operation.get, [id]).path)
    // Its form waits for them.
    askEarly(writeCall(operation['drafts.all'], [id]).path)
  } catch {
    // Text that cannot be an id: the page says so.
  }
}
