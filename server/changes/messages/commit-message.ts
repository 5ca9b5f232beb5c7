/** Commits a message that is rendered: with others together, or by itself where it links files. */

import { StaleMessageError } from '../../../db/stale-message.ts'
import type { ComposedMessage } from '../../decisions/messages/composed-message.ts'
import type { SendRequest, SentMessage } from '../../decisions/messages/decide-send.ts'
import type { Sending } from '../sending.ts'
import { notifyLinked } from '../uploads/notify-uploads.ts'
import { type DecideMessage, submitMessage } from './submit-message.ts'

/** Resolves once it is committed, and the owners of what it links are told; `compose` renders it anew. */
export function commitMessage<Request extends SendRequest>(
  services: Sending,
  decide: DecideMessage<Request>,
  request: Request,
  compose: () => ComposedMessage | Promise<ComposedMessage>,
): Promise<SentMessage> {
  return request.composed.uploadIds.length === 0
    ? submitMessage(services, decide, request)
    : commitLinking(services, decide, request, compose)
}

/** Where a file is gone meanwhile, the message is sent as one that links nothing there. */
async function commitLinking<Request extends SendRequest>(
  services: Sending,
  decide: DecideMessage<Request>,
  request: Request,
  compose: () => ComposedMessage | Promise<ComposedMessage>,
): Promise<SentMessage> {
  // That its files are there is certain only while the log is locked for it alone.
  const submit = (message: Request) => submitMessage(services, decide, message, 'structure')
  let message = request
  let sent: SentMessage
  try {
    sent = await submit(message) // At once, which keeps the order of its sender's messages.
  } catch (error) {
    if (!(error instanceof StaleMessageError)) throw error
    const files = request.composed.uploadIds.join()
    sent = await services.committer.turns.change(`files of ${files}`, StaleMessageError, async () => {
      message = { ...request, composed: await compose() }
      return submit(message)
    })
  }
  await notifyLinked(message.composed.uploadIds, sent.id, services)
  return sent
}
