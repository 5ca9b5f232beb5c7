/** Waits until a poll is held, which the wire does not show. */

import type { QueueId, UserId } from '../../server/domain/ids.ts'
import type { WebNode } from '../../server/node/node.ts'
import type { Client, Queue } from '../harness/client/client.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Resolves when a node holds a poll of that queue, or streams it to a socket. */
export async function waitUntilParked(node: WebNode, client: Client, queue: Queue): Promise<void> {
  await pollUntil('the client waits', async () => {
    const phase = await phaseOf(node, client, queue)
    return phase === 'parked' || phase === 'streaming'
  })
}

/** The phase of a node's session of a queue; undefined if the queue is unknown. */
export async function phaseOf(node: WebNode, client: Client, queue: Queue): Promise<string | undefined> {
  const found = await node.services.queues.find(queue.queueId as QueueId, client.userId as UserId)
  return found?.phase.kind
}
