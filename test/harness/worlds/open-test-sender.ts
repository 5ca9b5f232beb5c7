/** The sender of scheduled messages beside a test server, with its own state as in a worker. */

import { openSender, type Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import { deleteExpired } from '../../../workers/jobs/retention/delete-expired.ts'
import { type SendResult, sendScheduled } from '../../../workers/jobs/scheduled/send-scheduled.ts'
import type { Clock } from '../../../server/domain/clock.ts'
import { pollUntil } from '../../services/poll-until.ts'
import type { TestContext } from '../databases/create-database.ts'
import { ManualClock } from '../servers/manual-clock.ts'
import type { TestServer } from '../servers/start-server.ts'

/** The sender of a worker; it closes with the test. */
export async function openTestSender(
  t: TestContext,
  { databaseUrl, node, config }: TestServer,
  clock: Clock = new ManualClock(node.services.clock.nowMs()),
): Promise<Sender> {
  const sender = await openSender({
    databaseUrl,
    publicUrl: node.services.publicUrl,
    canMail: node.services.hasMailServer,
    renderThreads: 1,
    renderMsMax: config.renderMsMax,
    clock,
    onError(error) {
      throw error
    },
    onLost() {
      throw new Error('the log was lost')
    },
  })
  t.teardown(() => sender.close())
  return sender
}

/** Sends messages due at a UNIX second, and waits until the server has them. */
export async function sendDue({ node }: TestServer, sender: Sender, nowSeconds: number): Promise<SendResult> {
  const result = await sendScheduled(sender, new Date(nowSeconds * 1_000))
  await reach(node, sender)
  return result
}

/** Deletes messages that have expired by the sender's clock, and waits until the server has the deletions. */
export async function expire(
  { node }: TestServer,
  sender: Sender,
  signal = new AbortController().signal,
): Promise<number> {
  const count = await deleteExpired(sender, signal)
  await reach(node, sender)
  return count
}

function reach(node: TestServer['node'], sender: Sender): Promise<unknown> {
  return pollUntil(
    'the server has what was sent and deleted',
    () => node.services.state.appliedId >= sender.services.state.appliedId,
  )
}
