/** The networks that limits count, without a server. */

import t from 'tap'
import { networkOf } from '../../server/changes/server/client-network.ts'

t.test('[LIM16] IPv6 addresses of one network count as one, IPv4 addresses by themselves', (t) => {
  for (const [address, network] of [
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['0000:0000:0000:0000:0000:ffff:cb00:7107', '203.0.113.7'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['a client', 'a client'],
    ['', ''],
  ] as const)
    t.equal(networkOf(address), network, address)
  t.end()
})
