import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceNetwork } from '../../../api/gate/source-network.ts'

const group = fc.oneof(fc.constant(0), fc.nat(0xffff), fc.constantFrom(1, 0xff, 0xffff))
const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count })
const address = groups(8)
const isMapped = (parts: number[]) => parts.slice(0, 5).every((part) => part === 0) && parts[5] === 0xffff

/** One way to spell an address: case, leading zeros, dotted tail, which run of zeros becomes `::`, zone, port. */
const spelling = fc.record({
  upper: fc.boolean(),
  padded: fc.boolean(),
  dotted: fc.boolean(),
  from: fc.nat(7),
  length: fc.nat(8),
  zone: fc.constantFrom('', '%eth0', '%25'),
  port: fc.boolean(),
})
type Spelling = typeof spelling extends fc.Arbitrary<infer S> ? S : never

function spelled(parts: number[], { upper, padded, dotted, from, length, zone, port }: Spelling): string {
  const texts = parts.map((part) => part.toString(16).padStart(padded ? 4 : 1, '0'))
  const high = parts[6]!
  const low = parts[7]!
  const last = dotted ? [`${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`] : texts.slice(6)
  const written = [...texts.slice(0, 6), ...last]
  const run = parts.slice(from, Math.min(from + length, dotted ? 6 : 8))
  const short = run.length > 0 && run.every((part) => part === 0)
  const text = short
    ? `${written.slice(0, from).join(':')}::${written.slice(from + run.length).join(':')}`
    : written.join(':')
  const whole = (upper ? text.toUpperCase() : text) + zone
  return port ? `[${whole}]:4711` : whole
}

test('every spelling of an IPv6 address is the same source', () => {
  fc.assert(
    fc.property(address, spelling, spelling, (parts, first, other) => {
      expect(sourceNetwork(spelled(parts, first))).toBe(sourceNetwork(spelled(parts, other)))
    }),
    { numRuns: 1_000 },
  )
})

test('addresses in the same /64 are one source, addresses in different ones are different sources', () => {
  fc.assert(
    fc.property(groups(4), groups(4), groups(4), groups(4), spelling, (network, other, host, guest, how) => {
      fc.pre(!isMapped([...network, ...host]) && !isMapped([...network, ...guest]) && !isMapped([...other, ...guest]))
      const source = sourceNetwork(spelled([...network, ...host], how))
      expect(source).toMatch(/^[0-9a-f:]+::\/64$/)
      expect(sourceNetwork(spelled([...network, ...guest], how))).toBe(source)
      const same = network.every((part, i) => part === other[i])
      expect(sourceNetwork(spelled([...other, ...guest], how)) === source).toBe(same)
    }),
    { numRuns: 1_000 },
  )
})

test('an IPv4 address is its own source, also as an IPv4-mapped IPv6 address and with a port', () => {
  fc.assert(
    fc.property(fc.ipV4(), spelling, (address, how) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
      const mapped = [0, 0, 0, 0, 0, 0xffff, a * 256 + b, c * 256 + d]
      expect(sourceNetwork(address)).toBe(address)
      expect(sourceNetwork(`${address}:51234`)).toBe(address)
      expect(sourceNetwork(spelled(mapped, how))).toBe(address)
    }),
  )
})

/** Texts that are no address; all of them count as one source. */
const NOT_ADDRESSES = [
  '',
  'unknown',
  '_hidden',
  '999.1.1.1',
  '010.0.0.1',
  '1.2.3',
  '2001:db8:::1',
  '192.0.2.1, 192.0.2.2',
  '%',
  '[::1',
]

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:0201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['[2001:db8::1]:443', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ...NOT_ADDRESSES.map((text) => [text, 'unknown']),
])('examples: %j counts as %s', (address, network) => {
  expect(sourceNetwork(address!)).toBe(network)
})
