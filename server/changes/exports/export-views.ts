/** The records of an export: see `docs/export.md`. */

import type { Upload } from '../../domain/files/uploads.ts'
import type { ChannelFolder, Message, MessageEdit, User } from '../../domain/entities.ts'
import type { GroupState } from '../../domain/groups/group-graph.ts'
import type { GroupSetting } from '../../domain/groups/group-settings.ts'
import type { Permissions } from '../../domain/groups/permissions.ts'
import type { ChannelId, MessageId, UserId } from '../../domain/ids.ts'
import type { CustomEmoji } from '../../domain/organization/custom-emoji.ts'
import type { OrganizationState } from '../../state/organization-state.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import { permissionName } from '../../views/permission-view.ts'
import { snakeCase } from '../../views/snake-case.ts'
import type { ExportScope } from './export-scope.ts'

export function exportUser(user: User, state: OrganizationState, { userIds, contents }: ExportScope): object {
  const { id, fullName, role, isActive, botType, botOwnerId, timezone, joinedAt, isSystem } = user
  const isShown = userIds.has(id) || state.emailVisibilityOf(user) === 1
  const status = state.userStatuses.get(id)
  const { service } = state.botSetupOf(id)
  return {
    id,
    email: isShown ? user.email : null,
    full_name: fullName,
    role,
    is_active: isActive,
    bot_type: botType,
    bot_owner_id: botOwnerId,
    is_system_bot: isSystem,
    // Without its token. Addresses of services may be secrets themselves, so only the operator gets them.
    ...(service && contents === 'everything'
      ? { service: { url: service.url, interface: service.interface } }
      : {}),
    timezone,
    joined_at: joinedAt,
    avatar: state.avatars.has(id) ? `avatars/${id}.png` : null,
    profile: Object.fromEntries(
      [...(state.profiles.get(id) ?? [])].map(([field, { value }]) => [field, value]),
    ),
    ...(status === undefined
      ? {}
      : { status: { text: status.text, emoji: status.emoji && inSnakeCase(status.emoji) } }),
  }
}

export function exportGroup({ group, directMembers, directSubgroups }: GroupState): object {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    creator_id: group.creatorId,
    created_at: group.createdAt,
    is_system_group: group.isSystem,
    is_deactivated: group.isDeactivated,
    // Members of system groups follow from roles.
    member_ids: group.isSystem ? [] : directMembers.toArray(),
    subgroup_ids: directSubgroups,
    permissions: exportPermissions(group.permissions),
  }
}

export function exportChannel(
  { channel, subscribers, settings, pins }: ChannelState,
  { userIds }: ExportScope,
): object {
  return {
    id: channel.id,
    name: channel.name,
    description: channel.description,
    created_at: channel.createdAt,
    creator_id: channel.creatorId,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_history_public: channel.isHistoryPublic,
    is_archived: channel.isArchived,
    retention_days: channel.retentionDays,
    topics_policy: channel.topicsPolicy,
    link_previews: channel.hasLinkPreviews,
    folder_id: channel.folderId,
    permissions: exportPermissions(channel.permissions),
    subscriber_ids: subscribers.toArray(),
    // How a person sees a channel is theirs to give.
    subscription_settings: Object.fromEntries(
      [...settings].filter(([id]) => userIds.has(id)).map(([id, own]) => [id, inSnakeCase(own)]),
    ),
    pins: pins.map(({ messageId, topic, userId, pinnedAt }) => ({
      message_id: messageId,
      topic,
      user_id: userId,
      pinned_at: pinnedAt,
    })),
  }
}

export function exportFolder(folder: ChannelFolder): object {
  const { id, name, description, createdAt, creatorId, isArchived } = folder
  return { id, name, description, created_at: createdAt, creator_id: creatorId, is_archived: isArchived }
}

export function exportEmoji({ id, name, authorId, isAnimated, isDeactivated }: CustomEmoji): object {
  const file = `emoji/${id}.${isAnimated ? 'webp' : 'png'}`
  return { id, name, author_id: authorId, is_deactivated: isDeactivated, file }
}

/** A message. One's own in a channel that one may no longer read comes without its topic, which others may have changed. */
export function exportMessage(message: Message, { channelIds }: ExportScope): object {
  const { id, destination, senderId, content, rendered, sentAt, client, editedAt, movedAt } = message
  return {
    id,
    ...(destination.kind === 'channel'
      ? {
          channel_id: destination.channelId,
          ...(channelIds.has(destination.channelId) ? { topic: destination.topic } : {}),
        }
      : { user_ids: destination.userIds }),
    sender_id: senderId,
    sent_at: sentAt,
    content,
    rendered_content: rendered,
    client,
    ...(editedAt === null ? {} : { edited_at: editedAt }),
    ...(movedAt === null ? {} : { moved_at: movedAt }),
    ...listOf('reactions', message.reactions.map(inSnakeCase)),
    ...listOf('edits', exportEdits(message, channelIds)),
    ...listOf('submessages', message.submessages.map(inSnakeCase)),
  }
}

/** The newest first. Without topics of channels that the export does not have. */
function exportEdits({ edits, destination }: Message, channelIds: ReadonlySet<ChannelId>): object[] {
  let channelId = destination.kind === 'channel' ? destination.channelId : undefined
  return edits.map(({ userId, editedAt, content, topic, channelId: moved }: MessageEdit) => {
    const after = channelId
    channelId = moved?.previous ?? channelId
    const isShown = channelId === undefined || channelIds.has(channelId)
    const wasShown = after === undefined || channelIds.has(after)
    return {
      user_id: userId,
      edited_at: editedAt,
      ...(content === undefined ? {} : { previous_content: content.previous }),
      ...(topic === undefined || !isShown ? {} : { previous_topic: topic.previous }),
      ...(moved === undefined || !isShown || !wasShown ? {} : { previous_channel_id: moved.previous }),
    }
  })
}

type ExportedFile = Pick<Upload, 'id' | 'path' | 'name' | 'size' | 'contentType' | 'ownerId' | 'createdAt'>

export function exportFile(file: ExportedFile & { readonly messageIds: readonly MessageId[] }): object {
  return {
    path: file.path,
    name: file.name,
    size: file.size,
    content_type: file.contentType,
    owner_id: file.ownerId,
    created_at: file.createdAt,
    message_ids: file.messageIds,
    file: `files/${file.id}`,
  }
}

/** Topics that users follow, mute or unmute. */
export function* exportUserTopics(state: OrganizationState, { userIds, channelIds }: ExportScope) {
  for (const [userId, topics] of state.userTopics) {
    if (!userIds.has(userId)) continue
    for (const { channelId, topic, visibility, updatedAt } of topics.values())
      if (channelIds.has(channelId)) yield topicRecord(userId, { channelId, topic, visibility, updatedAt })
  }
}

function topicRecord(userId: UserId, topic: object): object {
  return { user_id: userId, ...inSnakeCase(topic) }
}

/** Permissions by their wire names. */
export function exportPermissions<Name extends string>(permissions: Permissions<Name>): object {
  return Object.fromEntries(
    (Object.entries(permissions) as [Parameters<typeof permissionName>[0], GroupSetting][]).map(
      ([name, setting]) => [
        permissionName(name),
        typeof setting === 'number' ? setting : inSnakeCase(setting),
      ],
    ),
  )
}

/** An object with its own keys in the form of the wire. */
export function inSnakeCase(object: object): object {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [snakeCase(name), value]))
}

function listOf(name: string, list: readonly object[]): object {
  return list.length === 0 ? {} : { [name]: list }
}
