import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 that is not the public internet, by IANA's registry of special-purpose addresses. */
const RESERVED_IPV4: [network: string, prefix: number][] = [
  ['0.0.0.0', 8], // this host
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, where clouds keep their metadata
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // future use, and broadcast
]

/** Networks within global unicast (2000::/3) that are not public. Everything outside of that range is refused anyway. */
const RESERVED_IPV6: [network: string, prefix: number][] = [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4, which carries any IPv4 address
  ['3fff::', 20], // documentation
]

const reserved = new BlockList()
for (const [network, prefix] of RESERVED_IPV4) reserved.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of RESERVED_IPV6) reserved.addSubnet(network, prefix, 'ipv6')

/** True for an IP address on the public internet; false for any other, and for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  const groups = readGroups(address)
  if (!groups) return false
  const carried = carriedIPv4(groups)
  if (carried) return isPublicAddress(carried)
  const isGlobalUnicast = ((groups[0] as number) & 0xe000) === 0x2000
  return isGlobalUnicast && !reserved.check(address, 'ipv6')
}

/** The eight groups of an IPv6 address. An address with a zone (`%eth0`) is local by nature and has none. */
export function readGroups(address: string): number[] | undefined {
  if (!isIPv6(address) || address.includes('%')) return undefined
  // The URL parser accepts every notation, a dotted tail included, and normalises it.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::')
  const numbers = (part: string) => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)))
  if (tail === undefined) return numbers(head)
  const [before, after] = [numbers(head), numbers(tail)]
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}

/** The IPv4 address that packets to a mapped (::ffff:0:0/96) or NAT64 (64:ff9b::/96) address end up at. */
export function carriedIPv4(groups: number[]): string | undefined {
  const prefix = groups.slice(0, 6).join(':')
  if (prefix !== [0, 0, 0, 0, 0, 0xffff].join(':') && prefix !== [0x64, 0xff9b, 0, 0, 0, 0].join(':')) return undefined
  return groups
    .slice(6)
    .flatMap(group => [group >> 8, group & 0xff])
    .join('.')
}
