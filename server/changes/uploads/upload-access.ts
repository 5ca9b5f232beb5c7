/** The readers of an uploaded file: its owner, and users who may read a message that links it. */

import type { Reader } from '../../../db/messages/message-query.ts'
import { findReadableUploads as findRows, type ShownUpload } from '../../../db/files/message-uploads.ts'
import { isLinkedFor } from '../../../db/files/uploads.ts'
import { readableHistory } from '../../../packages/rules/channels.ts'
import type { User } from '../../domain/entities.ts'
import type { Upload } from '../../domain/files/uploads.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { readerOf } from '../../decisions/messages/message-access.ts'
import type { Sending } from '../sending.ts'

/** All messages that a user may read, including those that they did not receive. */
export function uploadReaderOf(user: User, state: OrganizationState): Reader {
  const openChannelIds = [...state.channels.values()]
    .filter((channel) => readableHistory(user, channel, state.rights) === 'all')
    .map(({ channel }) => channel.id)
  return { ...readerOf({ state, caller: user }), openChannelIds }
}

/** Whether a user may read an upload now. */
export async function mayReadUpload(
  { id, ownerId }: Pick<Upload, 'id' | 'ownerId'>,
  user: User,
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
): Promise<boolean> {
  return ownerId === user.id || isLinkedFor(sql, id, uploadReaderOf(user, state))
}

/** The uploads of some paths that a user may read now. */
export async function findReadableUploads(
  paths: readonly string[],
  user: User,
  { sql, state }: Pick<Sending, 'sql' | 'state'>,
): Promise<ShownUpload[]> {
  return findRows(sql, uploadReaderOf(user, state), paths)
}
