/** Pushes of messages to all phones of a user at once, through the relay, encrypted for each; and their withdrawal. */

import { claimMore, type ClaimedPush, type PushedMessage } from '../../../db/notifications/pushes.ts'
import { readAnnouncedOrganization } from '../../../db/notifications/relay-state.ts'
import { type DeviceRow, findActiveDeviceIds, readActiveDevices } from '../../../db/personal/push-devices.ts'
import { type PushToken, readPushTokens } from '../../../db/personal/push-tokens.ts'
import type { UserId } from '../../../server/domain/ids.ts'
import { filterUnread } from '../../../db/unread/filter-unread.ts'
import { hiddenTextOf, textOf } from './compose-push.ts'
import type { PushBatch } from './push-batch.ts'
import { hasRelay, type PushContext, type RelayContext } from './push-context.ts'
import { notifyDevices, type RelayOutcome } from './notify-devices.ts'
import { removeFromOlderApps, showInOlderApps } from './notify-older-apps.ts'
import { restStanding } from './rest-standing.ts'

/** Messages that one push withdraws: more do not fit into the 4 KB of Apple's service. */
const WITHDRAWN_MAX = 200
/** The outcome of several requests is the first of these that one of them had. */
const OUTCOMES = ['done', 'later', 'failed'] as const satisfies readonly RelayOutcome[]

/** The result of a push, with others that share it. */
export interface SendResult {
  /** One that is `unsent` did not leave this server. */
  readonly kind: 'shown' | 'withdrawn' | 'dropped' | 'failed' | 'later' | 'unsent'
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
  const { userId } = push
  const message = batch.messages.get(push.id)
  if (!message) return { kind: 'dropped' }
  const kind = await reach(
    context,
    userId,
    (devices) =>
      notifyDevices(
        context,
        { userId, devices, kind: 'message' },
        contentOf(message, push, context.organizationUrl),
      ),
    (tokens) => showInOlderApps(context, { userId, tokens }, message),
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
  const { userId } = push
  const organization = await readAnnouncedOrganization(sql)
  if (!organization) return { kind: 'dropped', others }
  const ids = [push, ...others].map(({ messageId }) => messageId).sort((a, b) => a - b)
  const content = {
    type: 'remove',
    realm_url: context.organizationUrl,
    realm_name: organization.name,
    user_id: userId,
    message_ids: ids,
  }
  const kind = await reach(
    context,
    userId,
    (devices) => notifyDevices(context, { userId, devices, kind: 'remove' }, content),
    (tokens) =>
      removeFromOlderApps(context, { userId, tokens }, { organizationName: organization.name, ids }),
  )
  return { kind: kind === 'done' ? 'withdrawn' : kind, others }
}

/**
 * Sends to the devices of a user, and to apps without one. It is done if either arrived: another try would show it twice on
 * the others.
 */
async function reach(
  { sql }: RelayContext,
  userId: UserId,
  toDevices: (devices: readonly DeviceRow[]) => Promise<RelayOutcome>,
  toTokens: (tokens: readonly PushToken[]) => Promise<RelayOutcome>,
): Promise<RelayOutcome> {
  const devices = await readActiveDevices(sql, userId, await findActiveDeviceIds(sql, userId))
  const tokens = await readPushTokens(sql, userId, undefined)
  const outcomes = await Promise.all([
    ...(devices.length > 0 ? [toDevices(devices)] : []),
    ...(tokens.length > 0 ? [toTokens(tokens)] : []),
  ])
  return OUTCOMES.find((one) => outcomes.includes(one)) ?? 'dropped'
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
