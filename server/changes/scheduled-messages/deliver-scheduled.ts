/**
 * Sends due messages. It checks under the log's lock that each row is unchanged, so a repeated run sends each message
 * once.
 */

import { StaleScheduledError } from '../../../db/messages/scheduled-messages.ts'
import { StaleMessageError } from '../../../db/messages/stale-message.ts'
import { hasMessages, hasTopic } from '../../../db/messages/topics.ts'
import { needsKnownTopic } from '../../decisions/messages/channel-target.ts'
import { findRecipients, needsKnownConversation } from '../../decisions/messages/recipients.ts'
import {
  decideDelivery,
  type Follower,
  type Ready,
  type SentDue,
} from '../../decisions/scheduled-messages/deliver-due.ts'
import { reasonOf, type Refused } from '../../decisions/scheduled-messages/give-up-due.ts'
import { asksForStart } from '../../decisions/topics/follow-topics.ts'
import type { Due } from '../../domain/messages/scheduled-messages.ts'
import { topicKey } from '../../../packages/rules/topics.ts'
import { findOpening } from '../../domain/messages/widgets.ts'
import { fail } from '../../errors/api-error.ts'
import { composeMessage } from '../messages/compose-message.ts'
import { directNotice } from '../messages/send-notice.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { followBySending } from '../topics/follow-topics.ts'
import { notifyLinked } from '../uploads/notify-uploads.ts'
import { giveUp } from './give-up-due.ts'
import { wordReminder, wordReminderOfNothing } from './reminder-wording.ts'

/** A due message, rendered, or a reason why it cannot be sent. */
type Prepared = Ready | Refused
type DueMessage = Extract<Due, { kind: 'message' }>
type DueReminder = Extract<Due, { kind: 'reminder' }>

/** The result of a batch; `stale` if a row has changed since it was read, so that the batch must be read again. */
export type Delivered =
  | { readonly kind: 'sent'; readonly sent: readonly SentDue[]; readonly failed: readonly Due[] }
  | { readonly kind: 'stale' }

/** Data that one run shares. */
interface Run {
  readonly nowSeconds: number
  /** Whether each topic has messages. */
  readonly topics: Map<string, Promise<boolean>>
}

/** Renders due messages, all at once. A rejection concerns the server, not a message. */
export async function prepareDue(
  due: readonly Due[],
  nowSeconds: number,
  services: Sending,
): Promise<readonly Prepared[]> {
  const run = { nowSeconds, topics: new Map<string, Promise<boolean>>() }
  return Promise.all(due.map((one) => prepare(services, run, one)))
}

async function prepare(services: Sending, run: Run, due: Due): Promise<Prepared> {
  if (!services.state.getUser(due.userId).isActive) return { kind: 'refused', due, reason: undefined }
  try {
    return await (due.kind === 'reminder'
      ? prepareReminder(services, due)
      : prepareMessage(services, run, due))
  } catch (error) {
    return { kind: 'refused', due, reason: reasonOf(error) }
  }
}

async function prepareMessage(services: Sending, run: Run, due: DueMessage): Promise<Ready> {
  const { state, sql, conversations } = services
  const { userId: senderId, content, client, isReadBySender, target } = due
  const submessage = findOpening(content)
  const draft = {
    senderId,
    content,
    ...(submessage === undefined ? {} : { submessage }),
    sentAt: run.nowSeconds,
    client,
    readById: isReadBySender ? senderId : null,
    queueId: null,
    localId: null,
  }
  const sender = { state, caller: state.getUser(senderId), fail }
  const { caller } = sender
  if (target.kind === 'channel') {
    const { channelId, topic } = target
    const place = `${channelId}:${topicKey(topic)}`
    const channel = state.channels.get(channelId)
    const isAsked = channel && (needsKnownTopic(sender, channel) || asksForStart(state.settingsOf(senderId)))
    if (isAsked && !run.topics.has(place)) run.topics.set(place, hasTopic(sql, channelId, topic))
    const isKnown = (isAsked && (await run.topics.get(place))) === true
    const composed = await composeMessage(content, caller, target, services)
    return { kind: 'channel', due, place, request: { draft, composed, channelId, topic, isKnown } }
  }
  const recipients = findRecipients(sender, target.userIds)
  const { id: conversationId, userIds } = await conversations.open(recipients.map((user) => user.id))
  const isKnown = needsKnownConversation(sender, recipients) && (await hasMessages(sql, conversationId))
  const composed = await composeMessage(content, caller, { kind: 'direct', userIds }, services)
  return { kind: 'direct', due, request: { draft, composed, conversationId, userIds, isKnown } }
}

async function prepareReminder(services: Sending, due: DueReminder): Promise<Ready> {
  const owner = services.state.getUser(due.userId)
  const { content, rendered } =
    (await wordReminder(due.targetId, due.note, owner, services)) ??
    (await wordReminderOfNothing(due.note, owner, services))
  return { kind: 'reminder', due, notice: await directNotice(services, owner.id, { content, rendered }) }
}

/** Commits a prepared batch: first the messages that can be sent in one transaction, then the failures. */
export async function deliverPrepared(prepared: readonly Prepared[], services: Sending): Promise<Delivered> {
  const ready = prepared.filter((one) => one.kind !== 'refused')
  const refused = prepared.filter((one) => one.kind === 'refused')
  try {
    const { sent, late, followers, links } = await submitForServer(services, (scope) =>
      decideDelivery(scope, ready),
    )
    refused.push(...late)
    await Promise.all(followers.map((one) => follow(one, services)))
    await Promise.all(links.map(({ uploadIds, messageId }) => notifyLinked(uploadIds, messageId, services)))
    return { kind: 'sent', sent, failed: await giveUp(refused, services) }
  } catch (error) {
    // A linked file may have been deleted since.
    if (error instanceof StaleScheduledError || error instanceof StaleMessageError) return { kind: 'stale' }
    throw error
  }
}

/** Like any message, it makes its sender and the mentioned users follow its topic, if their settings say so. */
async function follow({ due, isStart, mentions }: Follower, services: Sending): Promise<void> {
  const { target, userId } = due
  if (target.kind === 'direct') return
  const sender = services.state.getUser(userId)
  const asked = { isStart: isStart && asksForStart(services.state.settingsOf(userId)), mentions }
  await followBySending(target, sender, asked, services)
}
