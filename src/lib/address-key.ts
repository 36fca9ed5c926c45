import { carriedIPv4, readGroups } from './address-guard.ts'

/** Longer than any address is written: what a proxy may pass on instead of one is cut there. */
const LONGEST_ADDRESS = 45

/**
 * Whom an address stands for, where calls are counted by address. Whoever has one IPv6 address has the 2^64 of its
 * network, so the network is counted; an IPv4 address is the same in either spelling.
 */
export function addressKey(ip: string): string {
  if (!ip.includes(':')) return ip.slice(0, LONGEST_ADDRESS)
  const groups = readGroups(ip.split('%', 1)[0] as string)
  if (!groups) return ip.slice(0, LONGEST_ADDRESS)
  const network = groups.slice(0, 4).map(group => group.toString(16))
  return carriedIPv4(groups) ?? `${network.join(':')}::/64`
}
