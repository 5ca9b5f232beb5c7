/** Gathers messages of a conversation into one mail, when the first of them is due and its reader is away. */

import { findNotifyTime } from '../../../packages/rules/notifications.ts'
import { queueMessageMail } from '../../../db/notifications/message-mails.ts'
import {
  type ClaimedPending,
  claimPending,
  findNextPending,
  postponePending,
  settlePending,
} from '../../../db/notifications/pending-notifications.ts'
import type { Sql } from '../../../db/connection/connect.ts'
import type { NextDue } from '../../../db/due-work.ts'
import { findWanted } from '../../../server/changes/notifications/find-wanted.ts'
import type { Sending } from '../../../server/changes/sending.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import type { Message } from '../../../server/domain/entities.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { NO_OWN_SETTINGS } from '../../../server/domain/personal/notification-settings.ts'
import { silenceOf } from '../../../server/domain/personal/silence.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import type { OpenSender } from '../share-sender.ts'
import type { NotificationFigures } from './notification-figures.ts'

/** Notifications that one pass claims. */
const CLAIMS_MAX = 200
/** Seconds until a conversation is tried again for a user who has got many mails. */
const ROOM_WAIT_SECONDS = 600
/** Seconds until a user who wants silence for longer is looked at again. */
const WAIT_SECONDS_MAX = 86_400

/** When users were last active, in UNIX seconds; users who never were are left out. */
export type ReadActivity = (userIds: readonly UserId[]) => Promise<ReadonlyMap<UserId, number>>

/** The dependencies of gathering. */
export interface GatherWork {
  readonly sql: Sql
  readonly clock: Clock
  readonly openSender: OpenSender
  readonly readActivity: ReadActivity
  readonly figures: NotificationFigures
}

/** Handles all notifications by mail that are due; returns when the next one is. Concurrent runs are safe. */
export async function gatherMails(work: GatherWork): Promise<NextDue | undefined> {
  const { sql, openSender, readActivity } = work
  for (;;) {
    const due = await claimPending(sql, 'mail', CLAIMS_MAX)
    if (due.length === 0) return findNextPending(sql, 'mail')
    const sender = await openSender()
    await sender.catchUp()
    const byUser = Map.groupBy(due, ({ userId }) => userId)
    const activity = await readActivity([...byUser.keys()])
    for (const [userId, own] of byUser) await gatherFor(work, sender.services, own, activity.get(userId) ?? 0)
  }
}

async function gatherFor(
  { sql, clock, figures }: GatherWork,
  services: Sending,
  claimed: readonly ClaimedPending[],
  activeAt: number,
): Promise<void> {
  const user = services.state.users.get((claimed[0] as ClaimedPending).userId)
  if (!user) return settlePending(sql, claimed)
  const now = nowSeconds(clock)
  const silence = silenceOf(services.state.userSettings.get(user.id) ?? NO_OWN_SETTINGS, now)
  const silentUntil = silence.isSilent ? silence.until : 0
  const waits = findNotifyTime('mail', { now, activeAt, wantsPushWhileActive: false, silentUntil }) - now
  // Whatever is still unread when the user leaves, and the silence ends, is mailed then.
  if (waits > 0) return postponePending(sql, claimed, Math.min(waits, WAIT_SECONDS_MAX))
  const ids = claimed.map(({ messageId }) => messageId)
  const wanted = await findWanted(services, user, 'mail', ids)
  const wantedIds = new Set(wanted.map(({ id }) => id))
  const unwanted = claimed.filter(({ messageId }) => !wantedIds.has(messageId))
  figures.skipped += unwanted.length
  await settlePending(sql, unwanted)
  for (const [, messages] of Map.groupBy(wanted, placeOf)) {
    const [first] = messages as [Message]
    if (await queueMessageMail(sql, user.id, first.id)) continue
    const waiting = new Set(messages.map(({ id }) => id))
    await postponePending(
      sql,
      claimed.filter(({ messageId }) => waiting.has(messageId)),
      ROOM_WAIT_SECONDS,
    )
  }
}

function placeOf({ destination }: Message): string {
  return destination.kind === 'direct'
    ? `direct ${destination.conversationId}`
    : `${destination.channelId} ${topicKey(destination.topic)}`
}
