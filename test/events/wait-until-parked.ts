/** Waits until a poll is held, which nothing on the wire tells. */

import type { QueueId, UserId } from '../../server/domain/ids.ts'
import type { WebNode } from '../../server/node.ts'
import type { Client, Queue } from '../harness/client.ts'
import { pollUntil } from '../services/poll-until.ts'

/** Resolves when a node holds a poll, or streams to a socket, of that queue. */
export async function waitUntilParked(node: WebNode, client: Client, queue: Queue): Promise<void> {
  await pollUntil('the client waits', async () => {
    const phase = await phaseOf(node, client, queue)
    return phase === 'parked' || phase === 'streaming'
  })
}

/** What a node's session of a queue is doing; undefined where the queue is unknown. */
export async function phaseOf(node: WebNode, client: Client, queue: Queue): Promise<string | undefined> {
  const found = await node.services.queues.find(queue.queueId as QueueId, client.userId as UserId)
  return found?.phase.kind
}
