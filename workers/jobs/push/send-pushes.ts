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
import {
  claimPushes,
  type ClaimedPush,
  dropPushes,
  findNextPush,
  findUnread,
  postponePushes,
  restPushes,
  spreadPushes,
} from '../../../db/notifications/pushes.ts'
import { AWAY_AFTER_SECONDS, mayNotifyNow } from '../../../packages/rules/notifications.ts'
import { findWanted } from '../../../server/changes/notifications/find-wanted.ts'
import type { Sending } from '../../../server/changes/sending.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import type { NextDue } from '../../../db/personal/push-devices.ts'
import type { PushContext } from './push-context.ts'
import { type SendResult, sendToPhones, withdrawFromPhones } from './send-to-phones.ts'
import { sendToBrowser, withdrawFromBrowser } from './web/send-to-browser.ts'

/** Notifications that become pushes at a time. */
const SPREAD_MAX = 200
/** Seconds before the first retry; each further wait is twice as long. */
const BACKOFF_SECONDS = 5
/** The longest wait before a retry. */
const BACKOFF_SECONDS_MAX = 1_800
/** Tries after which a push is given up, about an hour and a half after its message. */
const TRIES_MAX = 10

/** Sends all pushes that are due; returns when the next one is. Concurrent runs are safe. */
export async function sendPushes(context: PushContext): Promise<NextDue | undefined> {
  const { sql } = context
  for (;;) {
    const pending = await claimPending(sql, 'push', SPREAD_MAX)
    if (pending.length > 0) await spread(context, pending)
    const due = await claimPushes(sql)
    if (pending.length === 0 && due.length === 0) break
    await Promise.all([...Map.groupBy(due, groupOf).values()].map((group) => handle(context, group)))
  }
  const next = [await findNextPending(sql, 'push'), await findNextPush(sql)].filter(
    (one) => one !== undefined,
  )
  return next.sort((a, b) => a.atMs - b.atMs)[0]
}

/** Makes pushes of notifications that are still wanted, and lets those of users who are active wait until they are away. */
async function spread(context: PushContext, pending: readonly ClaimedPending[]): Promise<void> {
  const sender = await context.openSender()
  await sender.catchUp()
  const byUser = Map.groupBy(pending, ({ userId }) => userId)
  const activity = await context.readActivity([...byUser.keys()])
  for (const [userId, own] of byUser)
    await spreadFor(context, sender.services, own, activity.get(userId) ?? 0)
}

async function spreadFor(
  { sql, clock, figures }: PushContext,
  services: Sending,
  claimed: readonly ClaimedPending[],
  activeAt: number,
): Promise<void> {
  const { state } = services
  const user = state.users.get((claimed[0] as ClaimedPending).userId)
  if (!user) return settlePending(sql, claimed)
  const ids = claimed.map(({ messageId }) => messageId)
  const wanted = new Set((await findWanted(services, user, 'push', ids)).map(({ id }) => id))
  const unwanted = claimed.filter(({ messageId }) => !wanted.has(messageId))
  if (unwanted.length > 0) figures.note('any', 'dropped', { count: unwanted.length })
  await settlePending(sql, unwanted)
  const left = claimed.filter(({ messageId }) => wanted.has(messageId))
  const awayIn = activeAt + AWAY_AFTER_SECONDS - nowSeconds(clock)
  const wantsPushWhileActive = state.settingsOf(user.id).enableOnlinePushNotifications
  if (mayNotifyNow('push', { isActive: awayIn > 0, wantsPushWhileActive })) return spreadPushes(sql, left)
  await postponePending(sql, left, awayIn)
}

/** Shown messages of a user's phones are looked after together: one push removes all that were read. */
const groupOf = ({ id, userId, subscriptionId, isShown }: ClaimedPush): string =>
  subscriptionId === null && isShown ? `phones of ${userId}` : String(id)

/** Handles one push, or shown ones of the phones of a user. */
async function handle(context: PushContext, group: readonly ClaimedPush[]): Promise<void> {
  const { sql, figures } = context
  const [first] = group as readonly [ClaimedPush, ...ClaimedPush[]]
  const way = wayOf(first)
  const ids = group.map(({ messageId }) => messageId)
  const unread = await findUnread(sql, first.userId, ids)
  if (first.isShown) {
    await restPushes(
      sql,
      group.filter(({ messageId }) => unread.has(messageId)),
    )
    const [push, ...others] = group.filter(({ messageId }) => !unread.has(messageId))
    if (!push) return
    const withdraw =
      way === 'web' ? withdrawFromBrowser(context, push) : withdrawFromPhones(context, push, others)
    return settle(context, push, await withdraw)
  }
  if (!unread.has(first.messageId)) {
    figures.note(way, 'dropped')
    return dropPushes(sql, [first])
  }
  const send = way === 'web' ? sendToBrowser(context, first) : sendToPhones(context, first)
  await settle(context, first, await send)
}

const wayOf = ({ subscriptionId }: ClaimedPush) => (subscriptionId === null ? 'phone' : 'web')

/** Ends a push, or makes it due again. */
async function settle({ sql, figures }: PushContext, push: ClaimedPush, result: SendResult): Promise<void> {
  const way = wayOf(push)
  if (result.kind === 'shown') return figures.note(way, 'sent', { askedAt: push.askedAt })
  const pushes = [push, ...(result.others ?? [])]
  if (result.kind === 'later' && push.tries < TRIES_MAX) {
    figures.note(way, 'postponed')
    const backoff = Math.min(BACKOFF_SECONDS * 2 ** (push.tries - 1), BACKOFF_SECONDS_MAX)
    return postponePushes(sql, pushes, Math.max(backoff, result.afterSeconds ?? 0))
  }
  figures.note(way, result.kind === 'later' ? 'failed' : result.kind)
  return dropPushes(sql, pushes)
}
