/** Commits a rendered message: in a batch with others, or alone if it links files. */

import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import type { ComposedMessage } from '../../decisions/messages/composed-message.ts'
import type { SendRequest, SentMessage } from '../../decisions/messages/decide-send.ts'
import type { Sending } from '../sending.ts'
import { notifyLinked } from '../uploads/notify-uploads.ts'
import { type DecideMessage, submitMessage } from './submit-message.ts'

/** Resolves after the commit and the events for owners of linked files; `compose` renders the message again. */
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

/** If a linked file was deleted since, the message is sent without that link. */
async function commitLinking<Request extends SendRequest>(
  services: Sending,
  decide: DecideMessage<Request>,
  request: Request,
  compose: () => ComposedMessage | Promise<ComposedMessage>,
): Promise<SentMessage> {
  // The files are certain to exist only while this message alone holds the log's lock.
  const submit = (message: Request) => submitMessage(services, decide, message, 'structure')
  let message = request
  let sent: SentMessage
  try {
    sent = await submit(message) // At once, which preserves the order of the sender's messages.
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
