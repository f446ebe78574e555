import { BlockList, isIPv4, isIPv6 } from 'node:net'

/**
 * Whether an address is one of the public internet. IPv4: everything but the special ranges (RFC 6890). IPv6: only what
 * is assigned to networks (2000::/3), without the ranges in it that lead elsewhere; so nothing that contains an IPv4
 * address, such as ::ffff:10.0.0.1 or the prefixes of NAT64, 6to4 and Teredo, passes for public.
 */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !special.check(address, 'ipv4')
  // A zone, as in fe80::1%eth0, is for addresses of this machine.
  if (!isIPv6(address) || address.includes('%')) return false
  return assigned.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

const assigned = new BlockList()
assigned.addSubnet('2000::', 3, 'ipv6')

const special = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  special.addSubnet(network, bits, 'ipv4')
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(network, bits, 'ipv6')
}
