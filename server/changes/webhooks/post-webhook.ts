/** Posts the message of a webhook in the name of its bot: to a channel, or to the bot's owner. */

import { hash } from 'node:crypto'
import { topicRule } from '../../../packages/rules/messages.ts'
import type { MessageDraft } from '../../decisions/messages/decide-send.ts'
import { nowSeconds } from '../../domain/clock.ts'
import type { User } from '../../domain/entities.ts'
import type { ChannelId } from '../../domain/ids.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import type { Integration, Posting } from '../../integrations/integration.ts'
import { fitContent, fitTopic } from '../../integrations/shorten.ts'
import { sendToChannel, sendToPeople } from '../messages/send-message.ts'
import type { Sending } from '../sending.ts'

/** The place that the address of a webhook names. */
export interface WebhookPlace {
  /** By id or name; undefined for the owner of the bot. */
  readonly channel: string | number | undefined
  /** Instead of the topic of the message. */
  readonly topic: string | undefined
}

/** A webhook that is to be posted. */
export interface WebhookMessage {
  readonly bot: User
  readonly integration: Integration
  readonly posting: Posting
  readonly place: WebhookPlace
  /** See `Integration.deliveryId`. */
  readonly deliveryId: string
  /** The calling program. */
  readonly client: string
}

/** Posts; a repeated delivery to the same place posts once. Rejects with the errors of sending. */
export async function postWebhook(services: Sending, message: WebhookMessage): Promise<void> {
  const { bot, posting, place } = message
  const sender = { state: services.state, caller: bot, fail }
  const draft = draftOf(services, message)
  if (place.channel === undefined) {
    const ownerId = bot.botOwnerId
    if (ownerId === null) throw fail('PARAMETER_MISSING', { name: 'stream' })
    await sendToPeople(services, sender, { draft, to: [ownerId] })
    return
  }
  const topic = topicFor(services, message, fitTopic(place.topic ?? posting.topic))
  await sendToChannel(services, sender, { draft, to: [place.channel], topic })
}

/** Whether an error says that the bot cannot see the channel; absent and forbidden look alike. */
export function isChannelUnknown(error: unknown): boolean {
  return (
    error instanceof ApiError &&
    (error.errorName === 'CHANNEL_NAMED_UNKNOWN' || error.errorName === 'CHANNEL_ID_UNKNOWN')
  )
}

function draftOf({ clock }: Sending, message: WebhookMessage): MessageDraft {
  const { bot, integration, posting, place, deliveryId, client } = message
  const draft = {
    senderId: bot.id,
    content: fitContent(posting.content),
    sentAt: nowSeconds(clock),
    client,
    readById: null,
  }
  if (deliveryId === '') return { ...draft, queueId: null, localId: null }
  // Some senders give a delivery the same id at each of its addresses.
  const localId = hash('sha256', JSON.stringify([deliveryId, place]), 'base64url')
  return { ...draft, queueId: `webhook ${integration.name}`, localId }
}

/** The topic as the channel's policy has it. */
function topicFor({ state }: Sending, { integration, place }: WebhookMessage, topic: string): string {
  const channel =
    typeof place.channel === 'number'
      ? state.channels.get(place.channel as ChannelId)
      : state.findChannelByName(place.channel?.trim() ?? '')
  if (!channel) return topic
  if (topicRule(channel.channel, state) === 'none') return ''
  return topic === '' ? integration.title : topic
}
