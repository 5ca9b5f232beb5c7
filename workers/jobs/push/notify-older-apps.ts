/**
 * Notifications for apps that registered a token and no device. These have no key, so the relay and the push services can read
 * what is in them.
 */

import type { PushedMessage } from '../../../db/notifications/pushes.ts'
import { noteTokenAnswer } from '../../../db/personal/phones.ts'
import { dropPushTokens, type PushToken } from '../../../db/personal/push-tokens.ts'
import { topicDisplayName } from '../../../packages/rules/topics.ts'
import type { MessageId, UserId } from '../../../server/domain/ids.ts'
import { standInAddress } from '../../../server/domain/users/email-addresses.ts'
import { OLDER_PUSH_KEYS } from '../../../server/views/names.ts'
import { hiddenTextOf, textOf } from './compose-push.ts'
import { type RelayOutcome, settleAnswer } from './notify-devices.ts'
import type { RelayContext } from './push-context.ts'
import { callRelay, phoneAnswerOf } from './push-relay.ts'

/** The user, and all tokens of theirs: the relay forgets others. */
export interface TokenTarget {
  readonly userId: UserId
  readonly tokens: readonly PushToken[]
}

/** A notification in the forms of both push services. */
interface OlderForms {
  readonly gcm_payload: object
  readonly gcm_options: { readonly priority: 'high' | 'normal' }
  readonly apns_payload: object
}

/** Shows a message. */
export function showInOlderApps(
  context: RelayContext,
  target: TokenTarget,
  message: PushedMessage,
): Promise<RelayOutcome> {
  const content = hiddenTextOf(message) ?? textOf(message)
  const { senderId, senderName } = message
  const common = {
    ...organizationOf(context, target.userId, message.organizationName),
    sender_id: senderId,
    // The real address may be hidden from the reader.
    sender_email: standInAddress(senderId, new URL(context.organizationUrl).hostname),
    time: message.sentAt,
    ...placeOf(message),
  }
  const isDirect = message.channelId === null
  return send(context, target, {
    gcm_payload: {
      ...common,
      event: 'message',
      [OLDER_PUSH_KEYS.messageId]: message.id,
      content,
      content_truncated: content.endsWith('…'),
      sender_full_name: senderName,
      sender_avatar_url: `${context.organizationUrl}/avatar/${senderId}?version=${message.senderAvatarVersion}`,
    },
    gcm_options: { priority: 'high' },
    apns_payload: {
      alert: {
        title: isDirect ? senderName : `#${message.channelName} > ${topicDisplayName(message.topic)}`,
        subtitle: isDirect ? '' : `${senderName}:`,
        body: content,
      },
      sound: 'default',
      badge: 0,
      custom: { [OLDER_PUSH_KEYS.container]: { ...common, message_ids: [message.id] } },
    },
  })
}

/** Removes the notifications of messages. */
export function removeFromOlderApps(
  context: RelayContext,
  target: TokenTarget,
  { organizationName, ids }: { readonly organizationName: string; readonly ids: readonly MessageId[] },
): Promise<RelayOutcome> {
  const content = {
    ...organizationOf(context, target.userId, organizationName),
    event: 'remove',
    [OLDER_PUSH_KEYS.messageIds]: ids.join(','),
  }
  return send(context, target, {
    // Apps before the list of ids read the first one.
    gcm_payload: { ...content, [OLDER_PUSH_KEYS.messageId]: ids[0] },
    gcm_options: { priority: 'normal' },
    apns_payload: { badge: 0, custom: { [OLDER_PUSH_KEYS.container]: content } },
  })
}

function organizationOf({ organizationUrl, organizationId }: RelayContext, userId: UserId, name: string) {
  return {
    server: new URL(organizationUrl).host,
    realm_id: 1,
    realm_uuid: organizationId,
    realm_uri: organizationUrl,
    realm_url: organizationUrl,
    realm_name: name,
    user_id: userId,
  }
}

function placeOf({ channelId, channelName, topic, userIds }: PushedMessage): object {
  if (channelId !== null)
    return {
      recipient_type: 'stream',
      stream: channelName,
      stream_id: channelId,
      topic: topicDisplayName(topic),
    }
  const participants = [...(userIds ?? [])].sort((a, b) => a - b)
  // Without a list, an app shows the conversation with the sender.
  return {
    recipient_type: 'private',
    recipient_user_ids: participants,
    ...(participants.length > 2 ? { pm_users: participants.join(',') } : {}),
  }
}

async function send(
  context: RelayContext,
  { userId, tokens }: TokenTarget,
  forms: OlderForms,
): Promise<RelayOutcome> {
  const tokensOf = (kind: PushToken['kind']) =>
    tokens.filter((one) => one.kind === kind).map(({ token }) => token)
  const [android, apple] = [tokensOf('fcm'), tokensOf('apns')]
  const answer = await callRelay(context.relay, 'notify', {
    user_id: userId,
    realm_uuid: context.organizationId,
    ...forms,
    android_devices: android,
    apple_devices: apple,
  })
  await noteTokenAnswer(context.sql, userId, tokens, phoneAnswerOf(answer))
  return settleAnswer(context, answer, async ({ body }) => {
    const { android_devices, apple_devices } = (body['deleted_devices'] ?? {}) as Record<string, unknown>
    const gone = [
      ['fcm', among(android, android_devices)],
      ['apns', among(apple, apple_devices)],
    ] as const
    for (const [kind, lost] of gone)
      if (lost.length > 0) await dropPushTokens(context.sql, userId, kind, lost)
    return gone.reduce((count, [, lost]) => count + lost.length, 0) === tokens.length
  })
}

const among = (known: readonly string[], given: unknown): readonly string[] =>
  known.filter((one) => Array.isArray(given) && given.includes(one))
