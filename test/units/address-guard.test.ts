import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPublicAddress } from '../../src/lib/address-guard.ts'

/** Public, up to the edges of what is not; the last carry a public address of IPv4. */
const PUBLIC = `1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 172.15.255.255
  172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 2606:4700:4700::1111 2001:4860:4860::8888
  2001:200::1 ::ffff:8.8.8.8 ::ffff:808:808 64:ff9b::8.8.8.8`

/** Unspecified, loopback, private, shared, link-local and its metadata service; protocols, documentation, benchmarks, multicast,
 * reserved, broadcast; the same in IPv6; IPv4 within IPv6: mapped, translated, compatible, NAT64, 6to4, Teredo; no addresses. */
const NOT_PUBLIC = `0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.254 169.254.169.254
  172.16.0.1 172.31.255.255 192.168.0.1 192.0.0.1 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1
  203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 0:0:0:0:0:0:0:1 fe80::1 fe80::1%eth0 febf::1 fec0::1
  fc00::1 fd12:3456:789a::1 ff02::1 100::1 2001:db8::1 2001::1 2001:2::1 2001:10::1 2001:20::1 3fff::1 5f00::1 ::ffff:127.0.0.1
  ::ffff:7f00:1 ::FFFF:10.0.0.1 0:0:0:0:0:ffff:a9fe:a9fe ::ffff:0:127.0.0.1 ::127.0.0.1 ::7f00:1 ::8.8.8.8 64:ff9b::127.0.0.1
  64:ff9b::a00:1 64:ff9b:: 64:ff9b:1::8.8.8.8 2002:7f00:1:: 2002:808:808::1 2001:0:7f00:1:: localhost example.com 127.1
  2130706433 0x7f000001 0177.0.0.1 1.1.1.1. [::1] 1.1.1.256`

it('An address is public or not, up to the edges of each range', () => {
  const found = PUBLIC.split(/\s+/).filter(address => !isPublicAddress(address))
  expect(found).toEqual([])
  expect([...NOT_PUBLIC.split(/\s+/), '', ' 1.1.1.1', '1.1.1.1\n'].filter(isPublicAddress)).toEqual([])
})

it('An address is judged alike in every spelling, and mapped into IPv6 like itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), address => {
      const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number]
      const hex = (high: number, low: number) => ((high << 8) | low).toString(16)
      const verdict = isPublicAddress(address)
      for (const prefix of ['::ffff:', '0:0:0:0:0:FFFF:', '64:ff9b::', '0064:ff9b:0:0:0:0:'])
        for (const tail of [address, `${hex(a, b)}:${hex(c, d)}`])
          expect([prefix + tail, isPublicAddress(prefix + tail)]).toEqual([prefix + tail, verdict])
    }),
  )
})

it('An address of IPv6 is public in global unicast only', () => {
  fc.assert(
    fc.property(fc.ipV6(), address => {
      const first = Number.parseInt(address.split(':')[0] || '0', 16)
      const carries = /^(0{0,4}:|0{0,2}64:)/i.test(address)
      if (!carries && (first < 0x2000 || first > 0x3fff)) expect(isPublicAddress(address)).toBe(false)
    }),
  )
})
