/**
 * Sends pushes of messages that wait, and withdraws those of messages that were read. A push is made from the message as it
 * is when it is sent, and only if its user has not read it.
 */

import {
  claimPending,
  type ClaimedPending,
  findNextPending,
  postponePending,
  settlePending,
} from '../../../db/notifications/pending-notifications.ts'
import { claimPushes, findNextPush, spreadPushes } from '../../../db/notifications/pushes.ts'
import { findNotifyTime } from '../../../packages/rules/notifications.ts'
import { filterWanted } from '../../../server/changes/notifications/filter-wanted.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import type { NextDue } from '../../../db/due-work.ts'
import { handlePushes } from './handle-pushes.ts'
import type { PushContext } from './push-context.ts'

/** Notifications that become pushes at a time. */
const SPREAD_MAX = 200

/** Sends all pushes that are due; returns when the next one is. Concurrent runs are safe. */
export async function sendPushes(context: PushContext): Promise<NextDue | undefined> {
  const { sql } = context
  for (;;) {
    const pending = await claimPending(sql, 'push', SPREAD_MAX)
    if (pending.length > 0) await spread(context, pending)
    const due = await claimPushes(sql)
    if (pending.length === 0 && due.length === 0) break
    await handlePushes(context, due)
  }
  const next = [await findNextPending(sql, 'push'), await findNextPush(sql)].filter(
    (one) => one !== undefined,
  )
  return next.sort((a, b) => a.atMs - b.atMs)[0]
}

/** Makes pushes of notifications that are still wanted, and lets those of users who are active wait until they are away. */
async function spread(context: PushContext, pending: readonly ClaimedPending[]): Promise<void> {
  const { sql, clock, figures } = context
  const sender = await context.openSender()
  await sender.catchUp()
  const { state } = sender.services
  const activity = await context.readActivity([...new Set(pending.map(({ userId }) => userId))])
  const wanted = await filterWanted(sender.services, 'push', pending)
  const left = new Set(wanted)
  const unwanted = pending.filter((one) => !left.has(one))
  if (unwanted.length > 0) figures.note('any', 'dropped', { count: unwanted.length })
  await settlePending(sql, unwanted)
  const now = nowSeconds(clock)
  /** Seconds until the user counts as away; none if the push may leave now. */
  const waitOf = ({ userId }: ClaimedPending): number => {
    const activeAt = activity.get(userId) ?? 0
    const wantsPushWhileActive = state.settingsOf(userId).enableOnlinePushNotifications
    // Nobody is left who wants silence.
    return findNotifyTime('push', { now, activeAt, wantsPushWhileActive, silentUntil: 0 }) - now
  }
  for (const [seconds, some] of Map.groupBy(wanted, waitOf)) {
    if (seconds === 0) await spreadPushes(sql, some)
    else await postponePending(sql, some, seconds)
  }
}
