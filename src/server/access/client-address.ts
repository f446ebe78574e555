import { BlockList, isIP } from 'node:net'
import { BeckonError } from '../../protocol/index.ts'
import type { Call } from './call.ts'

/** The address that a call came from. */
export type ClientAddress = (call: Pick<Call, 'remote' | 'header'>) => string

// Nobody is behind more proxies; a caller may send any number.
const mostHops = 20

/**
 * Each proxy appends the address of its caller to X-Forwarded-For; whatever is left of that, the caller may have made up.
 * So the header counts only from a proxy that the operator named, and is read from the right, up to the first address that
 * is not such a proxy.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return ({ remote }) => remote
  const trusted = new BlockList()
  for (const proxy of trustedProxies) addTo(trusted, proxy)
  return ({ remote, header }) => {
    const hops = (header('x-forwarded-for') ?? '').split(',').slice(-mostHops)
    let address = remote
    while (isTrusted(address) && hops.length > 0) {
      const before = (hops.pop() as string).trim()
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }

  function isTrusted(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

/** An address, or a network such as 10.0.0.0/8. */
function addTo(list: BlockList, proxy: string): void {
  const [address = '', bits, ...rest] = proxy.split('/')
  const family = isIP(address)
  const most = family === 4 ? 32 : 128
  const prefix = bits === undefined ? most : Number(bits)
  if (family === 0 || rest.length > 0 || !/^\d+$/.test(bits ?? '0') || prefix > most) {
    const examples = 'such as 10.0.0.5 or 10.0.0.0/8'
    throw new BeckonError('invalid', `--trusted-proxy must be an address or a network, ${examples}; it is "${proxy}".`)
  }
  list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6')
}
