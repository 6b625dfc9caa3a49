import { expect, test } from 'vitest'
import { sourceNetwork } from '../../../api/gate/source-network.ts'

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
  ['192.0.2.1:51234', '192.0.2.1'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['[::ffff:c000:0201%25]:4711', '192.0.2.1'],
  ['2001:db8:1:2:0:0:1.2.3.4', '2001:db8:1:2::/64'],
  ['[2001:0DB8:0001:0002:ffff::%eth0]:4711', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
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
