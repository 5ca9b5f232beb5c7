/**
 * Finds the addresses of names that users gave, by the servers of DNS alone: the system's resolver blocks a thread of Node
 * for each name whose servers are silent, so that a few such names would hold up everybody else's. It is asked only for the
 * names of hosts that the operator allows, which may stand in `/etc/hosts`.
 */

import { lookup, Resolver } from 'node:dns/promises'

/** Milliseconds for the first answer of a server, and how often each is asked. */
const ASKING = { timeout: 2_000, tries: 2 }

/** Finds the addresses of a name; rejects if it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>

/**
 * @param ownHosts the names of hosts inside the operator's networks.
 * @param servers addresses with ports; those of the system by default.
 */
export function createResolve(ownHosts: readonly string[], servers?: readonly string[]): Resolve {
  const resolver = new Resolver(ASKING)
  if (servers) resolver.setServers(servers)
  return async (host) => {
    if (ownHosts.includes(host)) return (await lookup(host, { all: true })).map(({ address }) => address)
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    const found = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
    const [first] = answers
    if (found.length === 0 && first.status === 'rejected') throw first.reason
    return found
  }
}
