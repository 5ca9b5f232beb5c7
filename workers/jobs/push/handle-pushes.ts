/** Handles claimed pushes: shows messages that are still unread, and withdraws those that were read, deleted or moved away. */

import {
  type ClaimedPush,
  dropPushes,
  notePushesShown,
  postponePushes,
  readPushedMessages,
  returnPushes,
  type TakenPush,
  trimShown,
} from '../../../db/notifications/pushes.ts'
import { findReceivers, noteWebPushAnswers, type WebPushAnswer } from '../../../db/personal/web-push.ts'
import { filterUnread } from '../../../db/unread/filter-unread.ts'
import { nowSeconds } from '../../../server/domain/clock.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { NO_OWN_SETTINGS } from '../../../server/domain/personal/notification-settings.ts'
import { silenceOf } from '../../../server/domain/personal/silence.ts'
import { GroupedWrites } from './grouped-writes.ts'
import type { PushBatch } from './push-batch.ts'
import type { PushContext } from './push-context.ts'
import { restStanding } from './rest-standing.ts'
import { type SendResult, sendToPhones, withdrawFromPhones } from './send-to-phones.ts'
import { sendToBrowser, withdrawFromBrowser } from './web/send-to-browser.ts'

/** Seconds before the first retry; each further wait is twice as long. */
const BACKOFF_SECONDS = 5
/** The longest wait before a retry. */
const BACKOFF_SECONDS_MAX = 1_800
/** Tries after which a push is given up, about an hour and a half after its message. */
const TRIES_MAX = 10
/** Seconds after a message for which a push that did not leave this server costs no try: as long as push services keep one. */
const UNSENT_SECONDS_MAX = 86_400

/** Handles pushes, all at once. Each is settled as soon as it has its answer. */
export async function handlePushes(context: PushContext, claimed: readonly ClaimedPush[]): Promise<void> {
  if (claimed.length === 0) return
  const { sql, figures } = context
  const unread = new Set(await filterUnread(sql, claimed))
  const isUnread = (push: ClaimedPush) => unread.has(push)
  const standing = claimed.filter((push) => push.isShown && isUnread(push))
  await restStanding(sql, standing)
  const silent = await findSilent(context, claimed)
  const isWanted = (push: ClaimedPush) => isUnread(push) && !silent.has(push)
  const unwanted = claimed.filter((push) => !push.isShown && !isWanted(push))
  if (unwanted.length > 0) await dropPushes(sql, unwanted)
  for (const push of unwanted) figures.note(wayOf(push), 'dropped')
  const left = claimed.filter((push) => (push.isShown ? !isUnread(push) : isWanted(push)))
  if (left.length === 0) return
  const batch = await readBatch(context, left)
  const groups = [...Map.groupBy(left, groupOf).values()]
  const isShown = await Promise.all(groups.map((group) => handle(context, batch, group)))
  const shown = groups.filter((_, index) => isShown[index]).flat()
  // They may have been read while they were under way. A worker that ends before this leaves it to a later look.
  await restStanding(
    sql,
    shown.map((push) => ({ ...push, tries: 0 })),
  )
  await trimShown(sql, left)
}

/** Pushes for another try whose users want silence by now; a first try follows at once on the decision. */
async function findSilent(
  { openSender, clock }: PushContext,
  claimed: readonly ClaimedPush[],
): Promise<ReadonlySet<ClaimedPush>> {
  const again = claimed.filter(({ isShown, tries }) => !isShown && tries > 1)
  if (again.length === 0) return new Set()
  const sender = await openSender()
  await sender.catchUp()
  const settingsOf = (userId: UserId) => sender.services.state.userSettings.get(userId) ?? NO_OWN_SETTINGS
  return new Set(again.filter(({ userId }) => silenceOf(settingsOf(userId), nowSeconds(clock)).isSilent))
}

async function readBatch({ sql, web }: PushContext, pushes: readonly ClaimedPush[]): Promise<PushBatch> {
  const ids = pushes.flatMap(({ subscriptionId }) => (subscriptionId === null ? [] : [subscriptionId]))
  const [messages, receivers, sender] = await Promise.all([
    readPushedMessages(sql, pushes),
    findReceivers(sql, ids),
    web?.openSender(),
  ])
  return {
    messages,
    receivers,
    sender,
    shown: new GroupedWrites<TakenPush>((taken) => notePushesShown(sql, taken)),
    answers: new GroupedWrites<WebPushAnswer>((answers) => noteWebPushAnswers(sql, answers)),
  }
}

/**
 * Shown pushes of a user's phones are looked after together: one push removes all of them. So are those of a conversation in
 * a browser, which are one notification there.
 */
function groupOf({ id, userId, subscriptionId, isShown, mark }: ClaimedPush): string {
  if (!isShown) return String(id)
  if (subscriptionId === null) return `phones of ${userId}`
  return mark === null ? String(id) : `${mark} in ${subscriptionId}`
}

/** Handles one push, or shown ones that are withdrawn together; whether it is shown from now on. */
async function handle(
  context: PushContext,
  batch: PushBatch,
  group: readonly ClaimedPush[],
): Promise<boolean> {
  const [push, ...others] = group as readonly [ClaimedPush, ...ClaimedPush[]]
  const isWeb = wayOf(push) === 'web'
  if (push.isShown) {
    const withdraw = isWeb
      ? withdrawFromBrowser(context, batch, push, others)
      : withdrawFromPhones(context, push, others)
    await settle(context, push, await withdraw)
    return false
  }
  const send = isWeb ? sendToBrowser(context, batch, push) : sendToPhones(context, batch, push)
  const result = await send
  await settle(context, push, result)
  return result.kind === 'shown'
}

const wayOf = ({ subscriptionId }: ClaimedPush) => (subscriptionId === null ? 'phone' : 'web')

/** Ends a push, or makes it due again. */
async function settle(
  { sql, figures, clock }: PushContext,
  push: ClaimedPush,
  result: SendResult,
): Promise<void> {
  const way = wayOf(push)
  if (result.kind === 'shown') return figures.note(way, 'sent', { askedAt: push.askedAt })
  const pushes = [push, ...(result.others ?? [])]
  const isLater = result.kind === 'later' || result.kind === 'unsent'
  const ageSeconds = nowSeconds(clock) - push.askedAt
  if (result.kind === 'unsent' && ageSeconds < UNSENT_SECONDS_MAX) {
    figures.note(way, 'postponed')
    // Its tries do not grow, so its age does what they do for others: each wait is about twice as long.
    const seconds = Math.min(Math.max(ageSeconds, BACKOFF_SECONDS), BACKOFF_SECONDS_MAX)
    return returnPushes(sql, pushes, seconds)
  }
  if (isLater && push.tries < TRIES_MAX) {
    figures.note(way, 'postponed')
    const backoff = Math.min(BACKOFF_SECONDS * 2 ** (push.tries - 1), BACKOFF_SECONDS_MAX)
    return postponePushes(sql, pushes, Math.max(backoff, result.afterSeconds ?? 0))
  }
  figures.note(way, isLater ? 'failed' : result.kind)
  return dropPushes(sql, pushes)
}
