/** Chooses the transport: uWebSockets.js if it has a binary for this platform, otherwise `node:http`. */

import { createUwsTransport, loadUws } from './uws.ts'
import type { Transport } from './transport.ts'

/** The names of the setting. */
export type TransportName = 'uws' | 'node'

/** A loaded transport, and one line that says which it is and why. */
export interface LoadedTransport {
  readonly transport: Transport
  readonly reason: string
}

/** Loads the named transport, or the faster one that loads. Rejects if the named one does not load. */
export async function loadTransport(
  name: TransportName | undefined,
  load = loadUws,
): Promise<LoadedTransport> {
  if (name === 'node') return { transport: await loadNode(), reason: 'TRANSPORT says so' }
  try {
    const { uws, reason } = load()
    return { transport: createUwsTransport(uws), reason: name ? `TRANSPORT says so; ${reason}` : reason }
  } catch (cause) {
    const { message } = cause as Error
    if (name) throw new Error(`TRANSPORT must be node here: ${message}`, { cause })
    return { transport: await loadNode(), reason: message }
  }
}

/** Its library takes memory, so it loads only where it is used. */
async function loadNode(): Promise<Transport> {
  const { createNodeTransport } = await import('./node.ts')
  return createNodeTransport()
}
