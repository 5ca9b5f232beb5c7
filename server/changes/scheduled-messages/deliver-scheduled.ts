/**
 * Sends what is due. That the row of each is as it was read is checked under the log's lock, so that what runs twice
 * sends once.
 */

import { StaleScheduledError } from '../../../db/scheduled-messages.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import { hasMessages, hasTopic } from '../../../db/topics.ts'
import { needsKnownTopic } from '../../decisions/messages/channel-target.ts'
import { findRecipients, needsKnownConversation } from '../../decisions/messages/recipients.ts'
import { decideDelivery, type Follower, type Ready } from '../../decisions/scheduled-messages/deliver-due.ts'
import { reasonOf, type Refused } from '../../decisions/scheduled-messages/give-up-due.ts'
import { asksForStart } from '../../decisions/topics/follow-topics.ts'
import type { Due } from '../../domain/scheduled-messages.ts'
import { topicKey } from '../../domain/topics.ts'
import { findOpening } from '../../domain/widgets.ts'
import { fail } from '../../errors/api-error.ts'
import { composeMessage } from '../messages/compose-message.ts'
import { directNotice } from '../messages/send-notice.ts'
import type { Sending } from '../sending.ts'
import { submitForServer } from '../submit.ts'
import { followBySending } from '../topics/follow-topics.ts'
import { notifyLinked } from '../uploads/notify-uploads.ts'
import { giveUp } from './give-up-due.ts'
import { wordReminder, wordReminderOfNothing } from './reminder-wording.ts'

/** One that is due, rendered, or found to be such that it cannot be sent. */
type Prepared = Ready | Refused
type DueMessage = Extract<Due, { kind: 'message' }>
type DueReminder = Extract<Due, { kind: 'reminder' }>

/** What became of a batch; `stale` where something of it had changed meanwhile, so that all of it is to be read anew. */
export type Delivered =
  | { readonly kind: 'sent'; readonly sent: number; readonly failed: number }
  | { readonly kind: 'stale' }

/** What one run of what is due shares. */
interface Run {
  readonly nowSeconds: number
  /** By topic, whether somebody has written there. */
  readonly topics: Map<string, Promise<boolean>>
}

/** Renders what is due, all at once. What it rejects with concerns the server, not a message. */
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

/** Commits what was prepared: what can be sent in one transaction, then the rest as failed. */
export async function deliverPrepared(prepared: readonly Prepared[], services: Sending): Promise<Delivered> {
  const ready = prepared.filter((one) => one.kind !== 'refused')
  const refused = prepared.filter((one) => one.kind === 'refused')
  try {
    const { count, late, followers, links } = await submitForServer(services, (scope) =>
      decideDelivery(scope, ready),
    )
    refused.push(...late)
    await Promise.all(followers.map((one) => follow(one, services)))
    await Promise.all(links.map(({ uploadIds, messageId }) => notifyLinked(uploadIds, messageId, services)))
    await giveUp(refused, services)
    return { kind: 'sent', sent: count, failed: refused.length }
  } catch (error) {
    // A file that one of them links may be gone meanwhile.
    if (error instanceof StaleScheduledError || error instanceof StaleMessageError) return { kind: 'stale' }
    throw error
  }
}

/** As any message does, it makes its sender and those whom it mentions follow its topic, where they want that. */
async function follow({ due, isStart, mentions }: Follower, services: Sending): Promise<void> {
  const { target, userId } = due
  if (target.kind === 'direct') return
  const sender = services.state.getUser(userId)
  const asked = { isStart: isStart && asksForStart(services.state.settingsOf(userId)), mentions }
  await followBySending(target, sender, asked, services)
}
