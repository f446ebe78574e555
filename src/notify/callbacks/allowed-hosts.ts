import { BlockList, isIP, isIPv4 } from 'node:net'
import { BeckonError } from '../../protocol/index.ts'
import { isPublic } from '../../system/public-address.ts'

/** The hosts that the operator lets askers be called at. */
export interface AllowedHosts {
  isEmpty: boolean
  allowsHost(url: URL): boolean
  /** Whether a host on the list may have this address. */
  allowsAddress(address: string): boolean
}

/**
 * Reads a list of entries. `hooks.example.com` is that host on port 443, `hooks.example.com:8443` on that port, and
 * `*.example.com` every name below it. An IP address is a host, and an address that other hosts may have; a network such
 * as `10.0.0.0/8` is addresses that hosts may have, and no host.
 */
export function readAllowedHosts(entries: readonly string[], where: string): AllowedHosts {
  const hosts = new Set<string>()
  const endings: { name: string; port: string }[] = []
  const addresses = new BlockList()
  for (const entry of entries.map(entry => entry.trim()).filter(entry => entry !== '')) read(entry)
  return {
    isEmpty: hosts.size === 0 && endings.length === 0,
    allowsHost({ hostname, host, port }) {
      if (hosts.has(host)) return true
      return endings.some(ending => ending.port === port && hostname.endsWith(ending.name))
    },
    allowsAddress: address =>
      isPublic(address) || (!address.includes('%') && addresses.check(address, familyOf(address))),
  }

  function read(entry: string) {
    if (entry.includes('/')) return readNetwork(entry)
    const isEnding = entry.startsWith('*.')
    const url = urlOf(isEnding ? entry.slice(2) : entry)
    const isPlain = url && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
    if (!url || !isPlain || entry.includes('*', isEnding ? 1 : 0) || url.hostname.endsWith('.')) throw malformed(entry)
    const address = url.hostname.replace(/^\[|\]$/g, '')
    if (isIP(address)) {
      if (isEnding) throw malformed(entry)
      addresses.addAddress(address, familyOf(address))
    }
    if (isEnding) endings.push({ name: `.${url.hostname}`, port: url.port })
    else hosts.add(url.host)
  }

  function readNetwork(entry: string) {
    const [network = '', bits = ''] = entry.split('/')
    const most = isIPv4(network) ? 32 : 128
    if (!isIP(network) || !/^\d{1,3}$/.test(bits) || Number(bits) > most) throw malformed(entry)
    addresses.addSubnet(network, Number(bits), familyOf(network))
  }

  function malformed(entry: string): BeckonError {
    const examples = 'hooks.example.com, hooks.example.com:8443, *.example.com, 10.0.0.7 or 10.0.0.0/8'
    return new BeckonError('invalid', `${where}: "${entry}" is not a host. Write it as ${examples}.`)
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}

/** An IPv6 address may stand with or without brackets. */
function urlOf(entry: string): URL | null {
  const source = `https://${isIP(entry) === 6 ? `[${entry}]` : entry}`
  return URL.canParse(source) ? new URL(source) : null
}
