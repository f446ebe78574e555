import type { ServerLimits } from '../../server/limits.ts'
import type { Finding } from '../../store/store.ts'
import type { Context } from '../context.ts'
import { errorMessage } from '../output/error-message.ts'
import { describeLimits, readLimits } from '../serve/limits.ts'
import { type Announcement, runningServers } from '../serve/running-servers.ts'

const what = 'limits'

/** What each server of this home accepts and whom it may call; where none runs, what `beckon serve` would accept here. */
export async function checkLimits(context: Context): Promise<Finding[]> {
  const { env } = context
  // A home that others can change is refused, which is another finding.
  const servers = await runningServers(context).catch(() => [])
  if (servers.length > 0) return servers.flatMap(describeServer)
  const callbacks = await checkCallbackHosts(env)
  try {
    const finding = `${describeLimits(await readLimits({}, env))} (no server runs; serve takes flags for more)`
    return [{ what, finding, fine: true }, ...callbacks]
  } catch (error) {
    return [{ what, finding: errorMessage(error), fine: false }, ...callbacks]
  }
}

function describeServer({ url, limits, callbackHosts }: Announcement): Finding[] {
  const list = [{ what, finding: `${url}: ${describeLimits(limits)}`, fine: true }]
  if (callbackHosts.trim() === '') return list
  return [...list, { what: 'callbacks', finding: `${url}: askers may be called at ${callbackHosts}`, fine: true }]
}

/** What the server accepts. A server from before the limits could be set does not say. */
export async function checkServerLimits({ BECKON_URL: url = '', BECKON_TOKEN: token = '' }: NodeJS.ProcessEnv) {
  try {
    const response = await fetch(`${url.replace(/\/+$/, '')}/api/limits`, {
      headers: { authorization: `Bearer ${token}` },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    })
    if (!response.ok) return []
    return [{ what, finding: describeLimits((await response.json()) as ServerLimits), fine: true }]
  } catch {
    // Whether the server can be reached is another finding.
    return []
  }
}

/** Nothing where no host is listed, which is how it is unless somebody lists one. */
async function checkCallbackHosts({ BECKON_CALLBACK_HOSTS: list = '' }: NodeJS.ProcessEnv): Promise<Finding[]> {
  if (list.trim() === '') return []
  const { readAllowedHosts } = await import('../../notify/callbacks/allowed-hosts.ts')
  try {
    readAllowedHosts(list.split(','), 'BECKON_CALLBACK_HOSTS')
    return [{ what: 'callbacks', finding: `askers may be called at ${list}`, fine: true }]
  } catch (error) {
    return [{ what: 'callbacks', finding: errorMessage(error), fine: false }]
  }
}
