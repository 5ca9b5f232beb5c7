/** `DELETE /messages/{message_id}`: deletes a message for good. */

import { planDeletion } from '../../../../db/message-deletion.ts'
import { findUploadsOf } from '../../../../db/message-uploads.ts'
import { StaleMessageError } from '../../../../db/stale-message.ts'
import type { Decision } from '../../../decisions/decision.ts'
import { nowSeconds } from '../../../domain/clock.ts'
import type { Message, User } from '../../../domain/entities.ts'
import type { NewEvent } from '../../../domain/events.ts'
import type { MessageId } from '../../../domain/ids.ts'
import type { OrganizationState } from '../../../state/organization-state.ts'
import {
  checkDeletion,
  deleteDirectMessage,
  deleteFromChannel,
} from '../../../decisions/messages/delete-messages.ts'
import { readLeft, type SeenUploads, tellChanged } from '../../../changes/uploads/tell-uploads.ts'
import { findMessage } from '../../../changes/messages/find-message.ts'
import { canReadMessage, isClosed } from '../../../decisions/messages/message-access.ts'
import { operation } from '../../operation.ts'
import type { Services } from '../../services.ts'
import { id, required } from '../../params.ts'

export const deleteMessage = operation({
  method: 'DELETE',
  path: '/messages/{message_id}',
  summary: 'Delete a message',
  description:
    'Deletes a message for good. Those who may delete any message do so at any time; others delete what they or their ' +
    'bots sent, where they may, within the time that the organization allows.',
  access: 'user',
  params: { message_id: required(id<MessageId>(), 'The message.') },
  reply: {},
  errors: ['MESSAGE_UNKNOWN', 'MESSAGE_DELETION_FORBIDDEN', 'MESSAGE_DELETION_TOO_LATE'],
  events: ['delete_message', 'stream/update', 'attachment/update', 'attachment/remove'],
  async run({ params, user, services, fail }) {
    const { committer, state, clock } = services
    const uploads = await committer.turns.change(
      `message ${params.message_id}`,
      StaleMessageError,
      async () => {
        const found = await findMessage(params.message_id, user, services)
        if (!found || isClosed(found, state)) throw fail('MESSAGE_UNKNOWN')
        const triedAt = nowSeconds(clock)
        checkDeletion(user, found.message, state, triedAt, fail)
        const prepared = await prepare(found.message, services)
        await committer.submit({
          kind: 'structure',
          decide(now): Decision<undefined> {
            const own = now.getUser(user.id)
            if (!canReadMessage(own, found, now) || isClosed(found, now)) throw fail('MESSAGE_UNKNOWN')
            checkDeletion(own, found.message, now, triedAt, fail)
            return { events: prepared.plan(now, own), reply: () => undefined }
          },
        })
        return prepared.uploads
      },
    )
    await tellChanged(uploads, services)
    return {}
  },
})

/** Looks up what the deletion comes to; the events are made of it once it is decided. */
async function prepare(
  { id: messageId, destination, sentAt }: Message,
  services: Services,
): Promise<Prepared> {
  const { sql } = services
  if (destination.kind === 'direct') {
    const linked = await findUploadsOf(sql, [messageId])
    return {
      uploads: await readLeft(linked, services),
      plan: (state) => deleteDirectMessage(state, messageId, destination.userIds, linked),
    }
  }
  const { channelId, topic } = destination
  const deletion = await planDeletion(sql, channelId, [{ id: messageId, sentAt }])
  return {
    uploads: await readLeft(deletion.uploads, services),
    plan: (state, user) => deleteFromChannel(state, user, state.getChannel(channelId), topic, deletion),
  }
}

interface Prepared {
  readonly plan: (state: OrganizationState, user: User) => NewEvent[]
  /** The files that are left, as they are before. */
  readonly uploads: SeenUploads
}
