import { carriedIPv4, readGroups } from './address-guard.ts'

/** No address is longer: what a proxy passes on instead of one is cut there. */
const LONGEST_ADDRESS = 45

/**
 * The name under which calls from an address are counted. Whoever has one IPv6 address has the 2^64 of its network, so the
 * network is counted; an IPv4 address counts as the same in either notation.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip.slice(0, LONGEST_ADDRESS)
  const groups = readGroups(ip.split('%', 1)[0] as string)
  if (!groups) return ip.slice(0, LONGEST_ADDRESS)
  const network = groups.slice(0, 4).map(group => group.toString(16))
  return carriedIPv4(groups) ?? `${network.join(':')}::/64`
}
