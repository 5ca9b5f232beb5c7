/** Pushes of messages to all phones of a user at once, through the relay, encrypted for each; and their withdrawal. */

import { claimMore, type ClaimedPush, type PushedMessage } from '../../../db/notifications/pushes.ts'
import { readAnnouncedOrganization } from '../../../db/notifications/relay-state.ts'
import { type DeviceRow, findActiveDeviceIds, readActiveDevices } from '../../../db/personal/push-devices.ts'
import { filterUnread } from '../../../db/unread/filter-unread.ts'
import { hiddenTextOf, textOf } from './compose-push.ts'
import type { PushBatch } from './push-batch.ts'
import { hasRelay, type PushContext, type RelayContext } from './push-context.ts'
import { notifyDevices } from './notify-devices.ts'
import { restStanding } from './rest-standing.ts'

/** Messages that one push withdraws: more do not fit into the 4 KB of Apple's service. */
const WITHDRAWN_MAX = 200

/** The result of a push, with others that share it. */
export interface SendResult {
  readonly kind: 'shown' | 'withdrawn' | 'dropped' | 'failed' | 'later'
  /** Seconds that a push service asks to wait. */
  readonly afterSeconds?: number | undefined
  readonly others?: readonly ClaimedPush[]
}

/** Shows a message. */
export async function sendToPhones(
  context: PushContext,
  batch: PushBatch,
  push: ClaimedPush,
): Promise<SendResult> {
  if (!hasRelay(context)) return { kind: 'dropped' }
  const devices = await activeDevices(context, push)
  const message = batch.messages.get(push.id)
  if (devices.length === 0 || !message) return { kind: 'dropped' }
  const kind = await notifyDevices(
    context,
    { userId: push.userId, devices, kind: 'message' },
    contentOf(message, push, context.organizationUrl),
  )
  if (kind !== 'done') return { kind }
  await batch.shown.add(push)
  return { kind: 'shown' }
}

/** Removes the notifications of messages that were read or are gone, and of others that are due for the same reason. */
export async function withdrawFromPhones(
  context: PushContext,
  push: ClaimedPush,
  given: readonly ClaimedPush[],
): Promise<SendResult> {
  if (!hasRelay(context)) return { kind: 'dropped', others: given }
  const { sql } = context
  const more = await claimMore(sql, push, WITHDRAWN_MAX - 1 - given.length)
  const unread = await filterUnread(sql, more)
  const others = [...given, ...more.filter((one) => !unread.includes(one))]
  await restStanding(sql, unread)
  const devices = await activeDevices(context, push)
  const organization = await readAnnouncedOrganization(sql)
  if (devices.length === 0 || !organization) return { kind: 'dropped', others }
  const kind = await notifyDevices(
    context,
    { userId: push.userId, devices, kind: 'remove' },
    {
      type: 'remove',
      realm_url: context.organizationUrl,
      realm_name: organization.name,
      user_id: push.userId,
      message_ids: [push, ...others].map(({ messageId }) => messageId).sort((a, b) => a - b),
    },
  )
  return { kind: kind === 'done' ? 'withdrawn' : kind, others }
}

async function activeDevices({ sql }: RelayContext, { userId }: ClaimedPush): Promise<DeviceRow[]> {
  return readActiveDevices(sql, userId, await findActiveDeviceIds(sql, userId))
}

/** A message as the family's apps read it. */
function contentOf(
  message: PushedMessage,
  { userId, groupId }: ClaimedPush,
  organizationUrl: string,
): object {
  const { id, senderId, senderName, channelId, channelName, topic, userIds, groupName, sentAt } = message
  const participants = [...(userIds ?? [])].sort((a, b) => a - b)
  return {
    type: 'message',
    realm_url: organizationUrl,
    realm_name: message.organizationName,
    user_id: userId,
    sender_id: senderId,
    sender_full_name: senderName,
    sender_avatar_url: `${organizationUrl}/avatar/${senderId}?version=${message.senderAvatarVersion}`,
    message_id: id,
    time: sentAt,
    content: hiddenTextOf(message) ?? textOf(message),
    ...(channelId === null
      ? {
          recipient_type: 'direct',
          recipient_user_ids: participants,
          // Apps before the list of ids read these.
          pm_users: participants.join(','),
        }
      : { recipient_type: 'channel', channel_id: channelId, channel_name: channelName, topic }),
    ...(groupId === null || groupName === null
      ? {}
      : { mentioned_user_group_id: groupId, mentioned_user_group_name: groupName }),
  }
}
