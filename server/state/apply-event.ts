/** Folds the log into the state, one event at a time. */

import type { Channel } from '../domain/entities.ts'
import {
  type ChannelChange,
  type ChannelMove,
  isStructural,
  type LogEntry,
  type LogEvent,
} from '../domain/events.ts'
import { foldCase } from '../domain/fold-case.ts'
import type { ChannelId, MessageId } from '../domain/ids.ts'
import { withEntries } from '../domain/organization-lists.ts'
import { UserSet } from '../domain/user-set.ts'
import { changeStatus } from '../domain/user-status.ts'
import { countMessage, type DailyCounts, dayOf } from '../domain/weekly-traffic.ts'
import { newChannelState, type OrganizationState } from './organization-state.ts'

/** Applies the entry that follows the last one applied. */
export function applyEvent(state: OrganizationState, { id, event }: LogEntry): void {
  if (id !== state.appliedId + 1) throw new Error(`event ${id} does not follow event ${state.appliedId}`)
  state.appliedId = id
  if (isStructural(event)) state.structuralId = id
  switch (event.type) {
    case 'message': {
      if (event.userIds !== null) state.placeConversation(event.userIds)
      if (event.channelId === null) return
      const channel = state.getChannel(event.channelId)
      channel.firstMessageId ??= id as number as MessageId
      channel.lastMessageAt = event.sentAt
      countMessage(channel.dailyCounts, event.sentAt)
      return
    }
    case 'delete_message': {
      if (event.channelId === null) return
      const channel = state.getChannel(event.channelId)
      channel.firstMessageId = event.firstMessageId
      if (event.lastMessageAt !== undefined) channel.lastMessageAt = event.lastMessageAt
      addCounts(channel.dailyCounts, event.countsByDay, -1)
      return
    }
    case 'organization_created':
      state.organization = event.organization
      return
    case 'realm/update_dict': {
      if (!state.organization) throw new Error('there is no organization to change')
      const { settings, permissions, ...texts } = event.changes
      state.organization = {
        ...state.organization,
        ...texts,
        settings: { ...state.organization.settings, ...settings },
        permissions: { ...state.organization.permissions, ...permissions },
      }
      return
    }
    case 'realm_linkifiers':
      state.linkifiers = withEntries(state.linkifiers, event.linkifiers)
      return
    case 'realm_playgrounds':
      state.playgrounds = withEntries(state.playgrounds, event.playgrounds)
      return
    case 'realm_domains/add':
      state.emailDomains = [...state.emailDomains, event.domain]
      return
    case 'realm_domains/change':
      state.emailDomains = state.emailDomains.map((one) => (one.id === event.domain.id ? event.domain : one))
      return
    case 'realm_domains/remove':
      state.emailDomains = state.emailDomains.filter(({ id }) => id !== event.domain.id)
      return
    case 'realm_user_settings_defaults/update':
      state.newcomersSettings = { ...state.newcomersSettings, [event.change.name]: event.change.value }
      return
    case 'realm_user/add':
      if (event.settings) state.userSettings.set(event.user.id, event.settings)
      state.placeUser(event.user)
      return
    case 'realm_user/update':
      state.placeUser({ ...state.getUser(event.userId), ...event.changes })
      if (event.changes.joinedAt !== undefined) {
        state.awaitingLogin.delete(event.userId)
        state.seenUsers.note(dayOf(event.changes.joinedAt), [event.userId])
      }
      return
    case 'login_awaited':
      state.awaitingLogin.add(event.userId)
      return
    case 'bot_setup_changed':
      state.botSetups.set(event.botId, event.setup)
      return
    case 'realm_user/avatar': {
      if (!event.avatar) return
      const { pictureId, version } = event.avatar
      if (pictureId === null) state.avatars.delete(event.userId)
      else state.avatars.set(event.userId, pictureId)
      state.placeUser({ ...state.getUser(event.userId), avatarVersion: version })
      return
    }
    case 'realm_emoji/update':
      state.emoji = [...state.emoji.filter(({ id }) => id !== event.emoji.id), event.emoji].sort(
        (a, b) => a.id - b.id,
      )
      return
    case 'realm_user/profile':
      state.placeProfileValue(event.userId, event.fieldId, event.filled)
      return
    case 'custom_profile_fields':
      state.placeProfileFields(event.fields)
      return
    case 'restart':
      state.generation = event.generation
      return
    case 'users_seen':
      state.seenUsers.note(event.day, event.userIds)
      return
    case 'api_keys_changed':
      state.apiKeyHashes.set(event.userId, event.keyHashes)
      return
    case 'user_settings/update': {
      const { name, value } = event.change
      if (name === 'timezone') return // It is part of the account, and changes with that.
      state.userSettings.set(event.userId, { ...state.userSettings.get(event.userId), [name]: value })
      // Whoever keeps something that was encoded of this user finds another one now.
      if (name === 'emailAddressVisibility') state.placeUser({ ...state.getUser(event.userId) })
      return
    }
    case 'user_status': {
      if (event.isSightOnly) return
      const status = changeStatus(state.userStatuses.get(event.userId), event.changes)
      if (status) state.userStatuses.set(event.userId, status)
      else state.userStatuses.delete(event.userId)
      return
    }
    case 'user_topic':
      state.placeUserTopic(event.userId, event.userTopic)
      return
    case 'muted_users':
      state.placeMutedUsers(event.userId, event.mutedUsers)
      return
    case 'alert_words':
      state.alertIndex.place(event.userId, event.words)
      return
    case 'update_message':
      if (event.channelId !== null && event.move?.toChannel)
        moveMessages(state, event.channelId, event.move.toChannel)
      return
    case 'realm_bot/add':
    case 'realm_bot/update':
    case 'realm_bot/delete':
    case 'realm_user/email':
    case 'realm_user/delivery_email':
    case 'realm_user/reveal':
    case 'realm_user/conceal':
    case 'typing/start':
    case 'typing/stop':
    case 'typing_edit_message/start':
    case 'typing_edit_message/stop':
    case 'delete_message/single':
    case 'delete_message/hidden':
    case 'muted_topics':
      return // Told to clients only: the state changed with the event that caused it.
    case 'reaction/add':
    case 'reaction/remove':
    case 'update_message_flags':
    case 'submessage':
    case 'presence':
    case 'presence/single':
    case 'drafts/add':
    case 'drafts/update':
    case 'drafts/remove':
    case 'saved_snippets/add':
    case 'saved_snippets/update':
    case 'saved_snippets/remove':
    case 'navigation_view/add':
    case 'navigation_view/update':
    case 'navigation_view/remove':
      return // Messages are not part of the state.
    default:
      if (event.type.startsWith('user_group/')) applyToGroups(state, event as GroupEvent)
      else applyToChannels(state, event as ChannelEvent)
  }
}

function moveMessages(state: OrganizationState, channelId: ChannelId, move: ChannelMove): void {
  const { countsByDay } = move
  const left = state.getChannel(channelId)
  Object.assign(left, move.left)
  addCounts(left.dailyCounts, countsByDay, -1)
  const joined = state.getChannel(move.channelId)
  Object.assign(joined, move.joined)
  addCounts(joined.dailyCounts, countsByDay, 1)
}

function addCounts(counts: DailyCounts, added: ChannelMove['countsByDay'], sign: 1 | -1): void {
  for (const [day, count] of added) {
    const sum = (counts.get(day) ?? 0) + sign * count
    if (sum > 0) counts.set(day, sum)
    else counts.delete(day)
  }
}

type GroupEvent = Extract<LogEvent, { type: `user_group/${string}` }>
type ChannelEvent = Extract<
  LogEvent,
  {
    type: `stream/${string}` | `subscription/${string}` | 'default_streams' | `channel_folder/${string}`
  }
>

function applyToChannels(state: OrganizationState, event: ChannelEvent): void {
  switch (event.type) {
    case 'stream/create':
      for (const channel of event.isNew ? event.channels : []) {
        state.placeChannel(newChannelState(channel))
      }
      return
    case 'stream/update': {
      if (event.isSightOnly) return
      const channel = state.getChannel(event.channelId)
      if (event.change.kind === 'name') state.channelIdsByName.delete(foldCase(channel.channel.name))
      channel.channel = changeChannel(channel.channel, event.change)
      state.placeChannel(channel)
      if (event.change.kind === 'archived') state.sight.forget(channel.subscribers)
      return
    }
    case 'default_streams':
      if (!event.isSightOnly) state.defaultChannelIds = event.channelIds
      return
    case 'channel_folder/add':
      state.folders = [...state.folders, event.folder]
      return
    case 'channel_folder/update':
      state.folders = state.folders.map((folder) =>
        folder.id === event.folderId ? { ...folder, ...event.changes } : folder,
      )
      return
    case 'channel_folder/reorder':
      state.folders = event.folderIds.map((id) => {
        const folder = state.folders.find((one) => one.id === id)
        if (!folder) throw new Error(`folder ${id} is not in the state`)
        return folder
      })
      return
    case 'subscription/add':
      for (const { id } of event.channels) {
        const channel = state.getChannel(id)
        if (!channel.channel.isArchived) state.sight.widen(channel.subscribers, event.userIds)
        channel.subscribers = channel.subscribers.with(event.userIds)
      }
      return
    case 'subscription/remove':
      for (const id of event.channelIds) {
        const channel = state.getChannel(id)
        channel.subscribers = channel.subscribers.without(event.userIds)
        state.sight.narrow(channel.subscribers, event.userIds)
      }
      return
    case 'subscription/update': {
      const { property, value } = event.change
      if (property === 'inHomeView') return
      const { settings } = state.getChannel(event.channelId)
      settings.set(event.userId, { ...settings.get(event.userId), [property]: value })
      return
    }
    case 'stream/delete':
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
      return // Told to clients only: the state changed with the event that caused it.
  }
}

/** A channel after a change. */
export function changeChannel(channel: Channel, change: ChannelChange): Channel {
  switch (change.kind) {
    case 'permission':
      return { ...channel, permissions: { ...channel.permissions, [change.permission]: change.setting } }
    case 'postPolicy':
    case 'announcementOnly':
    case 'firstMessage':
      return channel // They follow from the permissions, or from the messages.
    default: {
      const { kind: _, ...changes } = change
      return { ...channel, ...changes }
    }
  }
}

function applyToGroups(state: OrganizationState, event: GroupEvent): void {
  state.rights = state.rights.withGroups(changeGroups(state, event))
}

function changeGroups({ groups }: OrganizationState, event: GroupEvent) {
  switch (event.type) {
    case 'user_group/add': {
      if (!event.isNew) return groups
      const { group, memberIds, subgroupIds } = event
      return groups.with({ group, directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds })
    }
    case 'user_group/update': {
      if (event.isSightOnly) return groups
      const state = groups.get(event.groupId)
      const { permissions, ...changes } = event.changes
      const group = {
        ...state.group,
        ...changes,
        permissions: { ...state.group.permissions, ...permissions },
      }
      return groups.with({ ...state, group })
    }
    case 'user_group/add_members':
      return event.isHidden ? groups : groups.withMembers(event.groupId, event.userIds, true)
    case 'user_group/remove_members':
      return event.isHidden ? groups : groups.withMembers(event.groupId, event.userIds, false)
    case 'user_group/add_subgroups':
      return groups.withSubgroups(event.groupId, event.subgroupIds, true)
    case 'user_group/remove_subgroups':
      return groups.withSubgroups(event.groupId, event.subgroupIds, false)
    case 'user_group/remove':
      return groups // Told to clients only: the state changed with the event that caused it.
  }
}
