/** Loads the data that deleting a message needs. */

import { planDeletion } from '../../../db/messages/message-deletion.ts'
import { findUploadsOf } from '../../../db/files/message-uploads.ts'
import {
  checkDeletion,
  type DELETION_ERRORS,
  type DeletionRequest,
} from '../../decisions/messages/delete-messages.ts'
import type { Scope } from '../../decisions/scope.ts'
import type { MessageId } from '../../domain/ids.ts'
import type { Sending } from '../sending.ts'
import { readLeft, type SeenUploads } from '../uploads/notify-uploads.ts'
import { findOpenMessage } from './find-message.ts'

/** The request, and the remaining files as they are before. */
export interface PreparedDeletion extends DeletionRequest {
  readonly uploads: SeenUploads
}

/** Loads the dependent data of a message that the caller may delete. */
export async function prepareDeletion(
  services: Sending,
  scope: Scope<'MESSAGE_UNKNOWN' | (typeof DELETION_ERRORS)[number]>,
  id: MessageId,
): Promise<PreparedDeletion> {
  const { sql } = services
  const found = await findOpenMessage(services, scope, id)
  const { destination, sentAt } = found.message
  checkDeletion(scope, found.message)
  if (destination.kind === 'direct') {
    const { userIds } = destination
    const uploads = await findUploadsOf(sql, [id])
    return { found, plan: { kind: 'direct', userIds, uploads }, uploads: await readLeft(uploads, services) }
  }
  const { channelId, topic } = destination
  const deletion = await planDeletion(sql, channelId, [{ id, sentAt }])
  return {
    found,
    plan: { kind: 'channel', channelId, topic, deletion },
    uploads: await readLeft(deletion.uploads, services),
  }
}
