/** Makes the calls of outgoing webhooks that are due. */

import type { Sql } from '../../../db/connection/connect.ts'
import type { NextDue } from '../../../db/due-work.ts'
import { noteSuccess, readBotOwner, readWebhook } from '../../../db/notifications/outgoing-webhooks.ts'
import {
  type ClaimedPending,
  claimPending,
  findNextPending,
  PENDING_NOTICE,
  postponePending,
  settlePending,
} from '../../../db/notifications/pending-notifications.ts'
import { findMessage } from '../../../server/changes/messages/find-message.ts'
import type { Sender } from '../../../server/changes/scheduled-messages/open-sender.ts'
import { type Clock, nowSeconds } from '../../../server/domain/clock.ts'
import type { CallEnd } from '../../../server/decisions/bots/settle-call.ts'
import { noticeTexts } from '../../../server/decisions/notice-wording.ts'
import { BOT_TYPES } from '../../../server/domain/entities.ts'
import { SERVICE_INTERFACES } from '../../../server/domain/users/bots.ts'
import { ApiError } from '../../../server/errors/api-error.ts'
import type { GuardedFetch } from '../../../server/outbound/guarded-fetch.ts'
import type { OpenSender } from '../share-sender.ts'
import { callReceiver } from './call-receiver.ts'
import { type CallFailure, wordFailure, wordNoDirectMessages } from './call-wording.ts'
import { composeCall, signCall, type WebhookCall } from './compose-call.ts'
import { composeOutage, endByMessage, endSilently } from './end-call.ts'
import { OwnerTurns } from './owner-turns.ts'
import type { WebhookFigures } from './webhook-figures.ts'

/** Seconds before each further call; after them the call is given up. */
const RETRY_SECONDS: readonly number[] = [5, 30, 120, 600]
/** Claims of a call: with more, something about it ends its workers. */
const CLAIMS_MAX = 10

/** The dependencies of calls. */
export interface WebhookWork {
  readonly sql: Sql
  readonly clock: Clock
  readonly fetch: GuardedFetch
  readonly openSender: OpenSender
  readonly figures: WebhookFigures
  readonly turns: OwnerTurns
}

/** Makes calls one after another until none is due; returns when the next one is. Concurrent runs are safe. */
export async function runCalls(work: WebhookWork): Promise<NextDue | undefined> {
  const { sql, openSender, turns } = work
  let hasWoken = false
  for (;;) {
    const next = await findNext(work)
    if (!next || next.delayMs > 0) return next
    const sender = await openSender()
    const begun = await turns.claim(() => beginCall(work))
    if (!begun) return findNext(work)
    try {
      // After an outage one job finds many calls: others take the rest, so that no call waits for a slow receiver. Each of
      // them wakes others in turn.
      if (!hasWoken && (await findNext(work))?.delayMs === 0) await sql.notify(PENDING_NOTICE, 'webhook')
      hasWoken = true
      await sender.catchUp()
      await makeCall(work, sender, begun.claimed)
      await sender.tell()
    } finally {
      begun.done()
    }
  }
}

/** When the next call is due. Calls of busy owners do not count: the next of those under way to end makes them. */
const findNext = ({ sql, turns }: WebhookWork) => findNextPending(sql, 'webhook', turns.busyOwners)

/** Claims a call; undefined if none is left for this worker. */
async function beginCall(work: WebhookWork) {
  const { sql, turns } = work
  const [claimed] = await claimPending(sql, 'webhook', 1, turns.busyOwners)
  if (!claimed) return undefined
  return { claimed, done: turns.begin(await readBotOwner(sql, claimed.userId)) }
}

async function makeCall(work: WebhookWork, sender: Sender, claimed: ClaimedPending): Promise<void> {
  const { sql, figures } = work
  const call = claimed.tries > CLAIMS_MAX ? undefined : await findCall(sender, claimed)
  if (!call) {
    figures.skipped++
    return settlePending(sql, [claimed])
  }
  if (call.service.interface === SERVICE_INTERFACES.slack && call.message.destination.kind === 'direct')
    return endByWords(work, sender, call, { words: wordNoDirectMessages(noticeTexts(sender.services.state)) })
  const { secret, isFailing } = await readWebhook(sql, call.bot.id)
  const body = composeCall(call, sender.services.state, sender.services.publicUrl)
  const headers = signCall(call, body.text, { secret, nowSeconds: nowSeconds(work.clock) })
  const { url, interface: form } = call.service
  const startMs = performance.now()
  const result = await callReceiver(work.fetch, { ...body, url, interface: form, headers })
  figures.callSeconds.observeSince(startMs)
  if (result.kind === 'failed') return handleFailure(work, sender, { call, claimed, isFailing }, result)
  if (result.content === '') {
    figures.silent++
    if (isFailing) await noteSuccess(sql, call.bot.id)
    return settlePending(sql, [claimed])
  }
  try {
    await endByMessage(sender.services, call, result.content, isFailing ? { failure: 'ends' } : {})
    figures.answered++
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const failure: CallFailure = { reason: 'answer_not_posted', body: error.message }
    await giveUp(work, sender, { call, claimed, isFailing }, failure)
  }
}

/** The call of a row; undefined if its bot is no outgoing webhook any more, or may not read the message. */
async function findCall(
  { services }: Sender,
  { userId, messageId, trigger }: ClaimedPending,
): Promise<WebhookCall | undefined> {
  const bot = services.state.users.get(userId)
  const { service } = services.state.botSetupOf(userId)
  if (!bot?.isActive || bot.botType !== BOT_TYPES.outgoingWebhook || !service) return undefined
  const found = await findMessage(messageId, bot, services)
  return found && { bot, service, message: found.message, trigger }
}

interface FailedCall {
  readonly call: WebhookCall
  readonly claimed: ClaimedPending
  /** Whether the owner knows already. */
  readonly isFailing: boolean
}

async function handleFailure(
  work: WebhookWork,
  sender: Sender,
  failed: FailedCall,
  { isPassing, ...failure }: CallFailure & { readonly isPassing: boolean },
): Promise<void> {
  const { claimed } = failed
  const seconds = isPassing ? RETRY_SECONDS[claimed.tries - 1] : undefined
  if (seconds === undefined) return giveUp(work, sender, failed, failure)
  work.figures.retried++
  await postponePending(work.sql, [claimed], seconds)
}

async function giveUp(
  work: WebhookWork,
  sender: Sender,
  { call, isFailing }: FailedCall,
  failure: CallFailure,
): Promise<void> {
  const words = wordFailure(noticeTexts(sender.services.state), failure)
  const notice = isFailing ? undefined : await composeOutage(sender.services, call, failure)
  await endByWords(work, sender, call, isFailing ? { words } : { words, failure: 'begins', notice })
}

/** The words when a call fails: in its conversation, and to the owner when calls begin to fail. */
interface FailedEnd extends Pick<CallEnd, 'failure' | 'notice'> {
  readonly words: string
}

/** Ends a call that failed; where the bot may not write, only its owner is notified. */
async function endByWords(
  { figures }: WebhookWork,
  { services }: Sender,
  call: WebhookCall,
  { words, ...end }: FailedEnd,
): Promise<void> {
  figures.failed++
  try {
    await endByMessage(services, call, words, end)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    await endSilently(services, call, end)
  }
}
