/** The network of a client, as limits count it. */

import { isIP } from 'node:net'
import type { Networks } from '../../domain/settings/rate-limits.ts'

/** Groups of 16 bits in an IPv6 address, and those that name the network of one customer, or the block of one company. */
const GROUPS = 8
const NETWORK_GROUPS = 4
const BLOCK_GROUPS = 3
const NETWORK_END = '::/64'
const MAPPED_PREFIX = '0:0:0:0:0:ffff'

/**
 * An IPv4 address, or the first 64 bits of an IPv6 address: each customer of a provider has all addresses with the same
 * ones, so a limit of each address would be none. Any other text is as it was.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (isIP(plain) !== 6) return address
  const groups = groupsOf(plain)
  const [high = '', low = ''] = groups.slice(-2)
  // An IPv4 client of a socket that takes both.
  if (groups.slice(0, -2).join(':') === MAPPED_PREFIX) return [...bytesOf(high), ...bytesOf(low)].join('.')
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}${NETWORK_END}`
}

/** The first 48 bits of an IPv6 network: many customers get all 65,536 networks of one. Undefined for other texts. */
export function blockOf(network: string): string | undefined {
  if (!network.endsWith(NETWORK_END)) return undefined
  return `${network.split(':').slice(0, BLOCK_GROUPS).join(':')}::/48`
}

/** Whether an address is in one of the listed networks. */
export function isListed(networks: Networks, address: string): boolean {
  const [plain = ''] = address.split('%')
  const version = isIP(plain)
  return version !== 0 && networks.check(plain, version === 6 ? 'ipv6' : 'ipv4')
}

/** The groups of an IPv6 address without leading zeros; `URL` has the one form of each address. */
function groupsOf(address: string): readonly string[] {
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const [before, after] = [splitGroups(head), splitGroups(tail ?? '')]
  return [...before, ...Array.from({ length: GROUPS - before.length - after.length }, () => '0'), ...after]
}

function splitGroups(text: string): readonly string[] {
  return text === '' ? [] : text.split(':')
}

function bytesOf(group: string): readonly number[] {
  const value = Number.parseInt(group, 16)
  return [value >> 8, value & 0xff]
}
