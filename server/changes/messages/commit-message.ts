/** Commits a message that is rendered: with others together, or by itself where it links files. */

import { StaleMessageError } from '../../../db/stale-message.ts'
import type { Change } from '../../actors/committer.ts'
import type { MessageId } from '../../domain/ids.ts'
import { tellLinked } from '../uploads/tell-uploads.ts'
import type { Sending } from '../sending.ts'
import type { ComposedMessage } from '../../decisions/messages/composed-message.ts'

/** The id of a message once it is committed, and the owners of what it links are told; `compose` renders it anew. */
export function commitMessage(
  services: Sending,
  composed: ComposedMessage,
  compose: () => ComposedMessage | Promise<ComposedMessage>,
  changeFor: (composed: ComposedMessage) => Change<MessageId>,
): Promise<MessageId> {
  return composed.uploadIds.length === 0
    ? services.committer.submit(changeFor(composed))
    : commitLinking(services, composed, compose, changeFor)
}

/** Where a file is gone meanwhile, the message is sent as one that links nothing there. */
async function commitLinking(
  services: Sending,
  composed: ComposedMessage,
  compose: () => ComposedMessage | Promise<ComposedMessage>,
  changeFor: (composed: ComposedMessage) => Change<MessageId>,
): Promise<MessageId> {
  // That its files are there is certain only while the log is locked for it alone.
  const submit = (message: ComposedMessage) =>
    services.committer.submit({ ...changeFor(message), kind: 'structure' })
  let message = composed
  let id: MessageId
  try {
    id = await submit(message) // At once, which keeps the order of its sender's messages.
  } catch (error) {
    if (!(error instanceof StaleMessageError)) throw error
    const { turns } = services.committer
    id = await turns.change(`files of ${composed.uploadIds.join()}`, StaleMessageError, async () => {
      message = await compose()
      return submit(message)
    })
  }
  await tellLinked(message.uploadIds, id, services)
  return id
}
