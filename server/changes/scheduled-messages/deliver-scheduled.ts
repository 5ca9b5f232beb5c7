/**
 * Sends what is due: each message with its leaving the list of what waits, many in one transaction. That the row is
 * as it was read is checked there, under the log's lock, so that whatever runs twice sends once.
 */

import { StaleScheduledError } from '../../../db/scheduled-messages.ts'
import { StaleMessageError } from '../../../db/stale-message.ts'
import { hasMessages, hasTopic } from '../../../db/topics.ts'
import type { NewEvent } from '../../domain/events.ts'
import type { EventId, MessageId } from '../../domain/ids.ts'
import type { Mention } from '../../domain/message-flags.ts'
import type { Due, ScheduledMessage } from '../../domain/scheduled-messages.ts'
import { topicKey } from '../../domain/topics.ts'
import { findOpening } from '../../domain/widgets.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import { followBySending } from '../../changes/topics/follow-topics.ts'
import { asksForStart } from '../../decisions/topics/follow-topics.ts'
import { tellLinked } from '../../changes/uploads/tell-uploads.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import { composeMessage } from '../messages/compose-message.ts'
import {
  decideChannelMessage,
  decideDirectMessage,
  type NewMessage,
} from '../../decisions/messages/decide-send.ts'
import {
  findRecipients,
  needsKnownConversation,
  needsKnownTopic,
} from '../../decisions/messages/send-target.ts'
import { directNotice, getSystemBot } from '../messages/send-notice.ts'
import type { Sending } from '../sending.ts'
import { giveUp, type Refused, removalOf } from './give-up-due.ts'
import { wordReminder, wordReminderOfNothing } from './reminder-wording.ts'

/** One that is due, rendered. */
type Prepared =
  | { readonly kind: 'ready'; readonly due: Due; readonly decide: DecideOne; readonly place?: Place }
  | Refused

/** `begun` holds the topics in which those before it in the same batch have written. */
type DecideOne = (state: OrganizationState, begun: Set<string>) => NewMessage

/** A topic as it was before the batch, for those who follow what they begin. */
interface Place {
  readonly key: string
  readonly isKnown: boolean
}

/** What became of a batch; `stale` where something of it had changed meanwhile, so that all of it is to be read anew. */
export type Delivered =
  | { readonly kind: 'sent'; readonly sent: number; readonly failed: number }
  | { readonly kind: 'stale' }

/** Renders what is due, all at once. What it rejects with concerns the server, not a message. */
export async function prepareDue(
  due: readonly Due[],
  nowSeconds: number,
  services: Sending,
): Promise<readonly Prepared[]> {
  const topics = new Map<string, Promise<boolean>>()
  return Promise.all(due.map((one) => prepare(one, nowSeconds, topics, services)))
}

async function prepare(
  due: Due,
  nowSeconds: number,
  topics: Map<string, Promise<boolean>>,
  services: Sending,
): Promise<Prepared> {
  if (!services.state.getUser(due.userId).isActive) return { kind: 'refused', due, reason: undefined }
  try {
    if (due.kind === 'reminder') return await prepareReminder(due, nowSeconds, services)
    const { userId: senderId, content, client, isReadBySender, target } = due
    const submessage = findOpening(content)
    const draft = {
      senderId,
      content,
      ...(submessage === undefined ? {} : { submessage }),
      sentAt: nowSeconds,
      client,
      readById: isReadBySender ? senderId : null,
      queueId: null,
      localId: null,
    }
    const { state, sql, conversations } = services
    const sender = state.getUser(senderId)
    if (target.kind === 'channel') {
      const { channelId, topic } = target
      const key = `${channelId}:${topicKey(topic)}`
      const channel = state.channels.get(channelId)
      const isAsked =
        channel && (needsKnownTopic(sender, channel, state) || asksForStart(state.settingsOf(senderId)))
      if (isAsked && !topics.has(key)) topics.set(key, hasTopic(sql, channelId, topic))
      const isKnown = (isAsked && (await topics.get(key))) === true
      const composed = await composeMessage(content, sender, target, services)
      return {
        kind: 'ready',
        due,
        place: { key, isKnown },
        decide: (now, begun) => {
          const place = { channelId, topic, isKnown: isKnown || begun.has(key) }
          const decided = decideChannelMessage(draft, place, composed, now, fail)
          begun.add(key)
          return decided
        },
      }
    }
    const recipients = findRecipients(target.userIds, senderId, state, fail)
    const { id, userIds } = await conversations.open(recipients.map((user) => user.id))
    const isKnown = needsKnownConversation(recipients, senderId, state) && (await hasMessages(sql, id))
    const composed = await composeMessage(content, sender, { kind: 'direct', userIds }, services)
    return {
      kind: 'ready',
      due,
      decide: (now) => decideDirectMessage(draft, { id, userIds, isKnown }, composed, now, fail),
    }
  } catch (error) {
    return { kind: 'refused', due, reason: reasonOf(error) }
  }
}

async function prepareReminder(
  due: Due & { readonly kind: 'reminder' },
  nowSeconds: number,
  services: Sending,
): Promise<Prepared> {
  const owner = services.state.getUser(due.userId)
  const { content, rendered } =
    (await wordReminder(due.targetId, due.note, owner, services)) ??
    (await wordReminderOfNothing(due.note, owner, services))
  const bot = await getSystemBot(services)
  const message = await directNotice(services, bot, owner.id, { content, rendered }, nowSeconds)
  return { kind: 'ready', due, decide: () => message }
}

/** Why a message cannot be sent; throws what is no failure of the message. */
function reasonOf(error: unknown): string {
  if (error instanceof ApiError && error.errorName !== 'OVERLOADED') return error.message
  throw error
}

/** Commits what was prepared: what can be sent in one transaction, then the rest as failed. */
export async function deliverPrepared(prepared: readonly Prepared[], services: Sending): Promise<Delivered> {
  const ready = prepared.filter((one) => one.kind === 'ready')
  const refused = prepared.filter((one) => one.kind === 'refused')
  try {
    const sent = await services.committer.submit({
      kind: 'structure',
      decide(state) {
        const late: Refused[] = []
        const begun = new Set<string>()
        const messages: NewMessage[] = []
        const removals: NewEvent[] = []
        const places: Follower[] = []
        for (const one of ready) {
          const { due, place } = one
          try {
            if (!state.getUser(due.userId).isActive) {
              late.push({ kind: 'refused', due, reason: undefined })
              continue
            }
            const isStart = place !== undefined && !place.isKnown && !begun.has(place.key)
            const message = one.decide(state, begun)
            messages.push(message)
            removals.push(removalOf(due, true))
            if (due.kind === 'message') places.push({ due, isStart, mentions: message.event.mentions ?? [] })
          } catch (error) {
            late.push({ kind: 'refused', due, reason: reasonOf(error) })
          }
        }
        const links = (firstId: EventId) =>
          messages.flatMap(({ event: { uploadIds } }, index) =>
            uploadIds ? [{ uploadIds, messageId: (firstId + index) as MessageId }] : [],
          )
        return {
          events: [...messages, ...removals],
          reply: (firstId) => ({ late, places, links: links(firstId), count: messages.length }),
        }
      },
    })
    refused.push(...sent.late)
    await Promise.all(sent.places.map((one) => follow(one, services)))
    await Promise.all(
      sent.links.map(({ uploadIds, messageId }) => tellLinked(uploadIds, messageId, services)),
    )
    await giveUp(refused, services)
    return { kind: 'sent', sent: sent.count, failed: refused.length }
  } catch (error) {
    // A file that one of them links may be gone meanwhile.
    if (error instanceof StaleScheduledError || error instanceof StaleMessageError) return { kind: 'stale' }
    throw error
  }
}

interface Follower {
  readonly due: ScheduledMessage
  readonly isStart: boolean
  readonly mentions: readonly Mention[]
}

/** As any message does, it makes its sender and those whom it mentions follow its topic, where they want that. */
async function follow({ due, isStart, mentions }: Follower, services: Sending): Promise<void> {
  const { target, userId } = due
  if (target.kind === 'direct') return
  const sender = services.state.getUser(userId)
  const asked = { isStart: isStart && asksForStart(services.state.settingsOf(userId)), mentions }
  await followBySending(target, sender, asked, services)
}
