/**
 * Destinations of requests to addresses that users gave: public ones, and what the operator allows inside. All rules see
 * the host as `URL` writes it: it turns every spelling of an IPv4 address into four numbers, and shortens IPv6 addresses.
 */

import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import type { OutboundSettings } from '../domain/settings/outbound.ts'

/** A destination that such a request may not have. */
export class DestinationRefusedError extends Error {
  override readonly name = 'DestinationRefusedError'
}

const refused = (reason: string) => new DestinationRefusedError(reason)

/** IPv6 addresses of the Internet. Some others count as ordinary, such as `::7f00:1` and `4000::1`, and lead to no one. */
const GLOBAL_IPV6 = new BlockList()
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address belongs to the Internet and not to this machine. Never throws: any other text is no such address. */
export function isPublicAddress(text: string): boolean {
  // `isIP` first: the library takes `0177.0.0.1`, too. Zones belong to addresses of one network.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.process(text) // Turns `::ffff:127.0.0.1` into IPv4.
  if (address.range() !== 'unicast') return false
  const plain = address.toString()
  if (address.kind() === 'ipv6' && !GLOBAL_IPV6.check(plain, 'ipv6')) return false
  const own = Object.values(networkInterfaces()).flatMap((list = []) => list.map((one) => one.address))
  return !own.includes(plain)
}

/** The host of a URL: IPv6 addresses lose their brackets, and names a final dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

/** The destinations that one server allows. */
export class Destinations {
  readonly #settings: OutboundSettings

  constructor(settings: OutboundSettings) {
    this.#settings = settings
  }

  /**
   * Checks what an address alone shows, without asking for its name. Throws a `DestinationRefusedError`.
   *
   * @param isSecureOnly whether it must have TLS.
   */
  check(url: URL, isSecureOnly: boolean): void {
    const { protocol, username, password, port } = url
    if (protocol !== 'https:' && protocol !== 'http:') throw refused(`no ${protocol} address may be asked`)
    if (username !== '' || password !== '') throw refused('the address has credentials')
    const host = hostOf(url)
    if (host === '') throw refused('the address has no host')
    const isLiteral = isIP(host) !== 0
    if (this.#settings.hosts.includes(host) || (isLiteral && this.#isInside(host))) return
    if (isLiteral && !isPublicAddress(host)) throw refused('the address is not public')
    // A name may lead inside, where its addresses allow other ports: `admit` decides then.
    if (isLiteral || this.#settings.networks === undefined) checkDoor(protocol, port, isSecureOnly)
  }

  /** Checks all addresses of a host before one of them is dialled. Throws a `DestinationRefusedError`. */
  admit(url: URL, addresses: readonly string[], isSecureOnly: boolean): void {
    if (addresses.length === 0) throw refused('the name has no address')
    if (this.#settings.hosts.includes(hostOf(url)) || addresses.every((one) => this.#isInside(one))) return
    if (!addresses.every((one) => isPublicAddress(one) || this.#isInside(one)))
      throw refused('the name leads to an address that is not public')
    checkDoor(url.protocol, url.port, isSecureOnly)
  }

  #isInside(text: string): boolean {
    const { networks } = this.#settings
    if (networks === undefined || isIP(text) === 0 || text.includes('%')) return false
    const address = ipaddr.process(text)
    return networks.check(address.toString(), address.kind())
  }
}

/** Public services have the ports of the web; `URL` leaves out the one of the protocol. */
function checkDoor(protocol: string, port: string, isSecureOnly: boolean): void {
  if (isSecureOnly && protocol !== 'https:') throw refused('the address has no TLS')
  if (port !== '') throw refused('the address has an unusual port')
}
