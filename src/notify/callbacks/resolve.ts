import { lookup as lookUp } from 'node:dns/promises'
import { isIP, isIPv4 } from 'node:net'
import type { AllowedHosts } from './allowed-hosts.ts'

export interface Address {
  address: string
  family: 4 | 6
}

export type Lookup = (hostname: string) => Promise<string[]>

export type Resolved = { addresses: Address[] } | { problem: string; isFinal: boolean }

/**
 * Every address of a host, if all of them may be called. The caller connects to one of these and looks up nothing again, so
 * that a name cannot lead elsewhere between the check and the call. `isFinal` problems are not those of the moment.
 */
export async function resolve(url: URL, allowed: AllowedHosts, lookup: Lookup = systemLookup): Promise<Resolved> {
  if (!allowed.allowsHost(url)) return { problem: `${url.host} is not on the list of the server`, isFinal: true }
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(literal) ? [literal] : await lookup(url.hostname).catch(() => [])
  if (found.length === 0) return { problem: `${url.hostname} has no address`, isFinal: false }
  const refused = found.find(address => !allowed.allowsAddress(address))
  if (refused !== undefined) {
    return { problem: `${url.hostname} has the address ${refused}, which is not public and not listed`, isFinal: true }
  }
  return { addresses: found.map(address => ({ address, family: isIPv4(address) ? 4 : 6 })) }
}

const systemLookup: Lookup = async hostname => (await lookUp(hostname, { all: true })).map(({ address }) => address)
