/** The queues that a comparison left open, for the next one of the same server. */

import type { Client, Fields, Queue } from '../client/client.ts'
import type { Person, TestServer } from '../servers/start-server.ts'

/** A viewer with a queue, whose state is that of its last event. */
export interface Viewer {
  readonly person: Person
  readonly client: Client
  readonly registration: Fields
  /** The server's generation when its state was fetched. */
  readonly generation: number | undefined
  readonly queue: Queue
}

const left = new WeakMap<TestServer['node'], Map<Person, Viewer>>()

/** The viewers that the last comparison of a server left. */
export function leftViewers({ node }: Pick<TestServer, 'node'>): Map<Person, Viewer> {
  const viewers = left.get(node) ?? new Map<Person, Viewer>()
  left.set(node, viewers)
  return viewers
}

/** Forgets them after a change that no client receives. */
export function forgetViewers({ node }: Pick<TestServer, 'node'>): void {
  left.delete(node)
}
