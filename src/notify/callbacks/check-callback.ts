import { setTimeout as sleep } from 'node:timers/promises'
import { type AllowedHosts, readAllowedHosts } from './allowed-hosts.ts'
import { type Lookup, resolve } from './resolve.ts'

// A name server that is slow now may be faster when the callback is due.
const longestLookup = 2_000

export function allowedHostsOf(env: NodeJS.ProcessEnv): AllowedHosts {
  return readAllowedHosts((env.BECKON_CALLBACK_HOSTS ?? '').split(','), 'BECKON_CALLBACK_HOSTS')
}

/** What is wrong with an address that an asker gave; null where it may be called, as far as that is known now. */
export async function checkCallback(given: string, allowed: AllowedHosts, lookup?: Lookup): Promise<string | null> {
  const url = new URL(given)
  if (allowed.isEmpty) return 'cannot be used: no hosts are listed; start beckon serve with --callback-host'
  if (!allowed.allowsHost(url)) {
    return `is refused: ${url.host} is not on the list of this server (beckon serve --callback-host)`
  }
  const stop = new AbortController()
  const late = sleep(longestLookup, null, { signal: stop.signal }).catch(() => null)
  const found = await Promise.race([resolve(url, allowed, lookup), late])
  stop.abort()
  return found && 'problem' in found && found.isFinal ? `is refused: ${found.problem}` : null
}
