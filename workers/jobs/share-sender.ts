/** The sender that a worker's jobs share: it loads the organization when the first of them needs it. */

import {
  openSender,
  type Sender,
  type SenderOptions,
} from '../../server/changes/scheduled-messages/open-sender.ts'
import type { JobContext } from '../queues/job-queue.ts'

/** Opens the sender, or answers the one that is open. */
export type OpenSender = () => Promise<Sender>

/** Creates the way to the sender; it closes after all jobs that were started later. */
export function shareSender(
  { onError, closers }: JobContext,
  options: Omit<SenderOptions, 'onError' | 'onLost'>,
): OpenSender {
  let sender: Promise<Sender> | undefined
  closers.push(async () => (await sender)?.close())
  /** The next job works on the database's new state. */
  const onLost = () => {
    const lost = sender
    sender = undefined
    lost?.then((one) => one.close()).catch(onError)
  }
  return () => {
    sender ??= openSender({ ...options, onError, onLost })
    sender.catch(() => {
      sender = undefined // The next attempt may succeed.
    })
    return sender
  }
}
