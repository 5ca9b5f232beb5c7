/** Tells the owners of uploads which messages link these now, after what changed that is committed. */

import { findOwners, type LinkedUploadId } from '../../../db/message-uploads.ts'
import { type LinkedUpload, readUploads } from '../../../db/uploads.ts'
import { decideLinks } from '../../decisions/uploads/link-events.ts'
import type { MessageId, UploadId } from '../../domain/ids.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { uploadReaderOf } from './upload-access.ts'

type With = Pick<Sending, 'sql' | 'state' | 'committer' | 'clock'>

/** Uploads as their owners see them, by id. */
export type SeenUploads = ReadonlyMap<UploadId, LinkedUpload>

/** Times an owner is told at once: it takes another only where other messages came between. */
const TRIES_MAX = 5

/** Some uploads as their owners see them now: with the messages that these may read. Those that are gone are left out. */
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

/** Those of what some messages link that other messages link as well. */
export function readLeft(linked: readonly LinkedUploadId[], services: With): Promise<SeenUploads> {
  return readSeenUploads(
    linked.filter(({ isLast }) => !isLast).map(({ id }) => id),
    services,
  )
}

/** Tells the owners of what a new message links, where they may read it. */
export function notifyLinked(ids: readonly UploadId[], messageId: MessageId, services: With): Promise<void> {
  return tell(ids, ({ messages }) => messages.some(({ id }) => id === messageId), services)
}

/** Tells the owners who see other messages than before. */
export function notifyChanged(before: SeenUploads, services: With): Promise<void> {
  return tell([...before.keys()], (upload) => listed(upload) !== listed(before.get(upload.id)), services)
}

/**
 * What is told was read before the log was asked to hold it. So it is looked at again: however many tell at once, the
 * last has told the truth.
 */
async function tell(
  ids: readonly UploadId[],
  isChanged: (upload: LinkedUpload) => boolean,
  services: With,
): Promise<void> {
  const told = new Map<UploadId, string>()
  let asked = ids
  for (let tries = 0; tries < TRIES_MAX && asked.length > 0; tries++) {
    const seen = [...(await readSeenUploads(asked, services)).values()]
    const news = seen.filter((upload) =>
      tries === 0 ? isChanged(upload) : listed(upload) !== told.get(upload.id),
    )
    if (news.length > 0) await submitForServer(services, (scope) => decideLinks(scope, news))
    for (const upload of news) told.set(upload.id, listed(upload))
    asked = news.map(({ id }) => id)
  }
}

/** What tells whether the same messages link an upload. */
function listed(upload: LinkedUpload | undefined): string {
  return String(upload?.messages.map(({ id }) => id))
}
