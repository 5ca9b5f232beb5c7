/** Notifies the owners of uploads of the messages that link these, after a change of the links is committed. */

import { findOwners, type LinkedUploadId } from '../../../db/files/message-uploads.ts'
import { type LinkedUpload, readUploads } from '../../../db/files/uploads.ts'
import { decideLinks } from '../../decisions/uploads/link-events.ts'
import type { MessageId, UploadId } from '../../domain/ids.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { uploadReaderOf } from './upload-access.ts'

type With = Pick<Sending, 'sql' | 'state' | 'committer' | 'clock'>

/** Uploads as their owners see them, by id. */
export type SeenUploads = ReadonlyMap<UploadId, LinkedUpload>

/** Tries for an owner: another one is needed only if other messages came between. */
const TRIES_MAX = 5

/** Some uploads as their owners see them now: with the linking messages that these may read. Without removed ones. */
export async function readSeenUploads(ids: readonly UploadId[], { sql, state }: With): Promise<SeenUploads> {
  if (ids.length === 0) return NOTHING_SEEN
  const seen = new Map<UploadId, LinkedUpload>()
  for (const { ownerId, ids: own } of await findOwners(sql, ids)) {
    const reader = uploadReaderOf(state.getUser(ownerId), state)
    for (const upload of await readUploads(sql, reader, own)) seen.set(upload.id, upload)
  }
  return seen
}

const NOTHING_SEEN: SeenUploads = new Map()

/** The files of some messages that other messages also link. */
export function readLeft(linked: readonly LinkedUploadId[], services: With): Promise<SeenUploads> {
  return readSeenUploads(
    linked.filter(({ isLast }) => !isLast).map(({ id }) => id),
    services,
  )
}

/** Notifies the owners of files that a new message links, if they may read the message. */
export function notifyLinked(ids: readonly UploadId[], messageId: MessageId, services: With): Promise<void> {
  return notify(ids, ({ messages }) => messages.some(({ id }) => id === messageId), services)
}

/** Notifies the owners who now see other messages. */
export function notifyChanged(before: SeenUploads, services: With): Promise<void> {
  return notify([...before.keys()], (upload) => listed(upload) !== listed(before.get(upload.id)), services)
}

/**
 * The data was read before the event is logged, so it is read again afterwards: of several writers at once, the last
 * one logs the current data.
 */
async function notify(
  ids: readonly UploadId[],
  isChanged: (upload: LinkedUpload) => boolean,
  services: With,
): Promise<void> {
  const logged = new Map<UploadId, string>()
  let asked = ids
  for (let tries = 0; tries < TRIES_MAX && asked.length > 0; tries++) {
    const seen = [...(await readSeenUploads(asked, services)).values()]
    const news = seen.filter((upload) =>
      tries === 0 ? isChanged(upload) : listed(upload) !== logged.get(upload.id),
    )
    if (news.length > 0) await submitForServer(services, (scope) => decideLinks(scope, news))
    for (const upload of news) logged.set(upload.id, listed(upload))
    asked = news.map(({ id }) => id)
  }
}

/** The ids of the messages that link an upload, to compare. */
function listed(upload: LinkedUpload | undefined): string {
  return String(upload?.messages.map(({ id }) => id))
}
