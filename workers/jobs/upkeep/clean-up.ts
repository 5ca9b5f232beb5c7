/**
 * Removes expired data: idle queues, old days of the log and of the audit log, old send marks, mails that are done,
 * notifications that nobody sent, log-ins that were not completed, expired invitations, orphaned pictures, and what a
 * lifted hold had kept.
 */

import type { Sql } from '../../../db/connection/connect.ts'
import { removeOldAudited } from '../../../db/log/audit-log.ts'
import { removeOldEvents } from '../../../db/log/event-log.ts'
import { auditPartOf } from '../../../server/events/audit-entries.ts'
import { removeOldDesktopLogins } from '../../../db/accounts/desktop-logins.ts'
import { removeOldHalfLogins } from '../../../db/accounts/half-logins.ts'
import { removeOldAgentGrants } from '../../../db/accounts/agent-grants.ts'
import { removeExpiredInvitations } from '../../../db/accounts/invitations.ts'
import { removeExpiredJoinings } from '../../../db/accounts/joinings.ts'
import { removeOldMails } from '../../../db/mail/mails.ts'
import { removeOldReceived } from '../../../db/mail/received-mails.ts'
import { removeOldReplyTokens } from '../../../db/mail/reply-tokens.ts'
import { removeOldPreviews, removeOldWaiting } from '../../../db/messages/link-previews.ts'
import { removeOldSendMarks } from '../../../db/messages/messages.ts'
import { removeOrphanPictures } from '../../../db/files/pictures.ts'
import { removeOldChallenges } from '../../../db/accounts/passkeys.ts'
import { removeOldPushes } from '../../../db/notifications/pushes.ts'
import { removeOldPending } from '../../../db/notifications/pending-notifications.ts'
import { removeReleased } from '../../../db/holds/remove-released.ts'
import { removeExpiredQueues } from '../../../db/log/queues.ts'
import { removeOldScheduled } from '../../../db/messages/scheduled-messages.ts'
import { inBatches } from './in-batches.ts'

/** A day longer than a queue may idle: no cursor points further back. */
const LOG_RETENTION_MS = 8 * 24 * 3600 * 1000
/** Web processes record the use of queues once a minute; this is twice that. */
const QUEUE_GRACE_SECONDS = 120
/** An upload has ended by then, and its event is committed or failed. */
const ORPHAN_MS = 24 * 3600 * 1000
/** Two years: audits ask for the last one. */
const AUDIT_RETENTION_MS = 731 * 24 * 3600 * 1000
/** Rows per statement: none holds its locks for long. */
const BATCH_LENGTH = 5_000

/** Counts of removed rows. */
export interface CleanUpResult {
  readonly queues: number
  readonly events: number
  readonly marks: number
  readonly pictures: number
}

/** Removes everything that has expired at that time, in batches. Concurrent runs are safe. */
export async function cleanUp(sql: Sql, now: Date): Promise<CleanUpResult> {
  const queues = await removeExpiredQueues(sql, now, QUEUE_GRACE_SECONDS)
  const before = new Date(now.getTime() - LOG_RETENTION_MS)
  const events = await inBatches(BATCH_LENGTH, (lengthMax) =>
    removeOldEvents(sql, before, lengthMax, auditPartOf),
  )
  const auditedBefore = new Date(now.getTime() - AUDIT_RETENTION_MS)
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldAudited(sql, auditedBefore, lengthMax))
  const marks =
    (await inBatches(BATCH_LENGTH, (lengthMax) => removeOldSendMarks(sql, lengthMax))) +
    (await inBatches(BATCH_LENGTH, (lengthMax) => removeOldScheduled(sql, lengthMax)))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldMails(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldReceived(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldReplyTokens(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldPending(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldPushes(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldPreviews(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldWaiting(sql, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeExpiredJoinings(sql, lengthMax))
  const nowSeconds = Math.floor(now.getTime() / 1000)
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldAgentGrants(sql, nowSeconds, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldHalfLogins(sql, nowSeconds, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldDesktopLogins(sql, nowSeconds, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeOldChallenges(sql, nowSeconds, lengthMax))
  await inBatches(BATCH_LENGTH, (lengthMax) => removeExpiredInvitations(sql, nowSeconds, lengthMax))
  await removeReleased(sql, BATCH_LENGTH)
  const unnamedSince = new Date(now.getTime() - ORPHAN_MS)
  const pictures = await inBatches(BATCH_LENGTH, (lengthMax) =>
    removeOrphanPictures(sql, unnamedSince, lengthMax),
  )
  return { queues, events, marks, pictures }
}
