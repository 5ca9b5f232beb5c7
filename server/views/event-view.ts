/** Events as clients get them: JSON text, in as many variants as clients want forms. */

import type { Channel } from '../domain/entities.ts'
import type { LogEntry, LogEvent, UnreadDetails } from '../domain/events.ts'
import type { ChannelId, DraftId, SnippetId, UserId } from '../domain/ids.ts'
import { flagNames } from '../domain/message-flags.ts'
import { topicDisplayName } from '../domain/topics.ts'
import { UserSet } from '../domain/user-set.ts'
import type { ChannelState, OrganizationState } from '../state/organization-state.ts'
import { viewBot, viewBotChange } from './bot-view.ts'
import { viewChannel, viewChannelChange, viewSubscription, viewSubscriptionChange } from './channel-view.ts'
import { viewCustomEmoji } from './custom-emoji-view.ts'
import { viewDraft } from './draft-view.ts'
import { viewFolder, viewFolderChange } from './folder-view.ts'
import { viewGroup, viewGroupChange } from './group-view.ts'
import { encodeMessage, messageOf, viewReaction, viewSubmessage } from './message-view.ts'
import { viewMessageUpdate } from './message-update-view.ts'
import { viewOrganizationChange } from './organization-view.ts'
import {
  viewMutedUser,
  viewNavigationView,
  viewNavigationViewChange,
  viewSnippet,
} from './personal-lists-view.ts'
import { encodePresence, viewLegacyClient } from './presence-view.ts'
import { viewEmailDomain, viewLinkifier, viewPlayground } from './organization-lists-view.ts'
import { viewProfileChange, viewProfileField } from './profile-field-view.ts'
import { viewLegacyChange, viewSettingChange } from './settings-view.ts'
import { viewStatusChange } from './status-view.ts'
import { viewEditTyping, viewTyping } from './typing-view.ts'
import {
  avatarUrl,
  UNKNOWN_AVATAR,
  viewAvatar,
  viewJoinedAt,
  viewUnknownUser,
  viewUser,
} from './user-view.ts'

/** What a client said at its registration of the form in which it wants events. */
export interface EventViewOptions {
  readonly applyMarkdown: boolean
  readonly clientGravatar: boolean
  readonly includeSubscribers: boolean | 'partial'
  readonly allowsNullSettings: boolean
  readonly allowEmptyTopic: boolean
  /** A second name under which a playground's language is told; none where left out. */
  readonly languageAlias?: string | undefined
  /** Whether it knows that lists of users may not hold all; to others somebody unknown is an unknown user. */
  readonly hasIncompleteUsers: boolean
}

/** The type by which clients ask for an event; undefined for one that no client is told. */
export function wireType(event: LogEvent): string | undefined {
  switch (event.type) {
    case 'organization_created':
    case 'api_keys_changed':
    case 'bot_setup_changed':
    case 'login_awaited':
    case 'users_seen':
      return undefined
    default:
      return event.type.split('/', 1)[0]
  }
}

/** Numbers the forms that `encodeEvent` tells apart: equal numbers, equal bytes. */
export function variantOf(options: EventViewOptions): number {
  return (
    (options.applyMarkdown ? 1 : 0) |
    (options.clientGravatar ? 2 : 0) |
    (options.includeSubscribers ? 4 : 0) |
    (options.includeSubscribers === 'partial' ? 64 : 0) |
    (options.allowsNullSettings ? 8 : 0) |
    (options.allowEmptyTopic ? 16 : 0) |
    (options.languageAlias === undefined ? 0 : 128) |
    (options.hasIncompleteUsers ? 32 : 0)
  )
}

/** What differs between two recipients of one event in the same form. */
export interface RecipientView {
  readonly userId: UserId
  /** The message's flags, as their sum. */
  readonly flags: number
  /** The sender's own mark of the message, for the queue that sent it. */
  readonly localId: string | null
}

/** An entry with what of the state must be told as it was then: who was subscribed to the channels it reveals. */
export interface ViewedEntry extends LogEntry {
  readonly subscribersThen?: ReadonlyMap<ChannelId, UserSet> | undefined
  /** What a message's channel was called. */
  readonly channelNameThen?: string | undefined
}

/** The event as JSON text. */
export function encodeEvent(
  { id, event, subscribersThen, channelNameThen }: ViewedEntry,
  state: OrganizationState,
  nowSeconds: number,
  options: EventViewOptions,
  recipient: RecipientView,
): string {
  // One who left since is not told who has joined since, what has changed, nor that a first message was sent.
  const channelThen = (channel: Channel): ChannelState => {
    const now = state.getChannel(channel.id)
    const { firstMessageId } = now
    return {
      ...now,
      channel,
      subscribers: subscribersThen?.get(channel.id) ?? now.subscribers,
      firstMessageId: firstMessageId !== null && firstMessageId < (id as number) ? firstMessageId : null,
    }
  }
  switch (event.type) {
    case 'message': {
      const localId =
        recipient.localId === null ? '' : `,"local_message_id":${JSON.stringify(recipient.localId)}`
      return (
        `{"id":${id},"type":"message","flags":${JSON.stringify(flagNames(recipient.flags))},` +
        `"message":${encodeMessage(messageOf(id, event), state, { ...options, viewerId: recipient.userId }, channelNameThen)}}${localId}}`
      )
    }
    case 'realm_user/add':
      return JSON.stringify({
        id,
        type: 'realm_user',
        op: 'add',
        person: viewUser(event.user, state.getUser(recipient.userId), state, {
          ...options,
          hasProfile: true,
        }),
      })
    case 'realm_user/update': {
      const { isActive, role, fullName, timezone, botOwnerId, joinedAt } = event.changes
      const person = {
        user_id: event.userId,
        ...(isActive === undefined ? {} : { is_active: isActive }),
        ...(role === undefined ? {} : { role }),
        ...(fullName === undefined ? {} : { full_name: fullName }),
        ...(botOwnerId === undefined ? {} : { bot_owner_id: botOwnerId }),
        ...(joinedAt === undefined ? {} : { date_joined: viewJoinedAt(joinedAt) }),
        ...(timezone === undefined ? {} : { email: state.apiEmailOf(state.getUser(event.userId)), timezone }),
      }
      return JSON.stringify({ id, type: 'realm_user', op: 'update', person })
    }
    case 'realm_bot/add':
      return JSON.stringify({
        id,
        type: 'realm_bot',
        op: 'add',
        bot: viewBot(state.getUser(event.botId), state.getUser(recipient.userId), state),
      })
    case 'realm_bot/update': {
      const change = viewBotChange(event.change, state.getUser(recipient.userId), state)
      const avatar = event.change.hasNewAvatar && { avatar_url: avatarUrl(state.getUser(event.botId), state) }
      const bot = { user_id: event.botId, ...change, ...avatar }
      return JSON.stringify({ id, type: 'realm_bot', op: 'update', bot })
    }
    case 'realm_bot/delete':
      return JSON.stringify({ id, type: 'realm_bot', op: 'delete', bot: { user_id: event.botId } })
    case 'realm_user/email': {
      const person = { user_id: event.userId, new_email: state.apiEmailOf(state.getUser(event.userId)) }
      return JSON.stringify({ id, type: 'realm_user', op: 'update', person })
    }
    case 'realm_user/delivery_email': {
      const { email } = state.getUser(event.userId)
      const person = { user_id: event.userId, delivery_email: event.isShown ? email : null }
      return JSON.stringify({ id, type: 'realm_user', op: 'update', person })
    }
    case 'realm_user/avatar': {
      const user = state.getUser(event.userId)
      const person = {
        user_id: user.id,
        ...viewAvatar(user, state),
        avatar_version: user.avatarVersion,
      }
      return JSON.stringify({ id, type: 'realm_user', op: 'update', person })
    }
    case 'realm_emoji/update':
      return JSON.stringify({
        id,
        type: 'realm_emoji',
        op: 'update',
        realm_emoji: viewCustomEmoji(state.emoji),
      })
    case 'realm_user/reveal': {
      const viewer = state.getUser(recipient.userId)
      const person = viewUser(state.getUser(event.userId), viewer, state, { ...options, hasProfile: true })
      return JSON.stringify({ id, type: 'realm_user', op: 'add', person })
    }
    case 'realm_user/conceal': {
      const person = viewUnknownUser(event.userId, state, true)
      const { user_id, full_name, email: new_email, ...others } = person
      return options.hasIncompleteUsers
        ? JSON.stringify({ id, type: 'realm_user', op: 'remove', person: { user_id, full_name } })
        : JSON.stringify({
            id,
            type: 'realm_user',
            op: 'update',
            person: { user_id, full_name, new_email, ...others, ...UNKNOWN_AVATAR },
          })
    }
    case 'realm_user/profile': {
      const custom_profile_field = viewProfileChange(event.fieldId, event.filled)
      const person = { user_id: event.userId, custom_profile_field }
      return JSON.stringify({ id, type: 'realm_user', op: 'update', person })
    }
    case 'custom_profile_fields':
      return JSON.stringify({ id, type: event.type, fields: event.fields.map(viewProfileField) })
    case 'stream/create': {
      const streams = event.channels.map((channel) => viewChannel(channelThen(channel), state, nowSeconds))
      return JSON.stringify({ id, type: 'stream', op: 'create', streams })
    }
    case 'stream/delete': {
      const streams = event.channelIds.map((stream_id) => ({ stream_id }))
      return JSON.stringify({ id, type: 'stream', op: 'delete', stream_ids: event.channelIds, streams })
    }
    case 'subscription/add': {
      const subscriptions = event.channels.map((channel) =>
        viewSubscription(channelThen(channel), recipient.userId, state, nowSeconds, options),
      )
      return JSON.stringify({ id, type: 'subscription', op: 'add', subscriptions })
    }
    case 'subscription/remove': {
      const subscriptions = event.channelIds.map((stream_id, index) => ({
        stream_id,
        name: event.names[index],
      }))
      return JSON.stringify({ id, type: 'subscription', op: 'remove', subscriptions })
    }
    case 'subscription/peer_add':
    case 'subscription/peer_remove': {
      return JSON.stringify({
        id,
        type: 'subscription',
        op: opOf(event.type),
        stream_ids: event.channelIds,
        user_ids: event.userIds,
      })
    }
    case 'stream/update': {
      const update = viewChannelChange(event.change, state.rights.activeUsers)
      const { channelId: stream_id, name } = event
      return JSON.stringify({ id, type: 'stream', op: 'update', stream_id, name, ...update })
    }
    case 'subscription/update': {
      const { property, value } = viewSubscriptionChange(event.change, options.allowsNullSettings)
      return JSON.stringify({
        id,
        type: 'subscription',
        op: 'update',
        stream_id: event.channelId,
        property,
        value,
      })
    }
    case 'default_streams':
      return JSON.stringify({ id, type: event.type, default_streams: event.channelIds })
    case 'channel_folder/add': {
      const folder = viewFolder(
        event.folder,
        state.folders.findIndex((one) => one.id === event.folder.id),
      )
      return JSON.stringify({ id, type: 'channel_folder', op: 'add', channel_folder: folder })
    }
    case 'channel_folder/update':
      return JSON.stringify({
        id,
        type: 'channel_folder',
        op: 'update',
        channel_folder_id: event.folderId,
        data: viewFolderChange(event.changes),
      })
    case 'channel_folder/reorder':
      return JSON.stringify({ id, type: 'channel_folder', op: 'reorder', order: event.folderIds })
    case 'user_topic': {
      const { channelId, topic, updatedAt, visibility } = event.userTopic
      return JSON.stringify({
        id,
        type: 'user_topic',
        stream_id: channelId,
        topic_name: options.allowEmptyTopic ? topic : topicDisplayName(topic),
        last_updated: updatedAt,
        visibility_policy: visibility,
      })
    }
    case 'muted_topics':
      return JSON.stringify({ id, type: event.type, muted_topics: event.mutedTopics })
    case 'delete_message':
    case 'delete_message/hidden':
    case 'delete_message/single': {
      const { channelId: stream_id } = event
      const topic = options.allowEmptyTopic ? event.topic : topicDisplayName(event.topic)
      return JSON.stringify({
        id,
        type: 'delete_message',
        ...(stream_id === null ? { message_type: 'private' } : { message_type: 'stream', stream_id, topic }),
        ...('messageId' in event ? { message_id: event.messageId } : { message_ids: event.messageIds }),
      })
    }
    case 'restart':
      return JSON.stringify({
        id,
        type: event.type,
        ...event.facts,
        server_generation: event.generation.number,
      })
    case 'realm/update_dict': {
      const data = viewOrganizationChange(event.changes, state.rights.activeUsers)
      return JSON.stringify({ id, type: 'realm', op: 'update_dict', property: 'default', data })
    }
    case 'realm_linkifiers':
      return JSON.stringify({ id, type: event.type, realm_linkifiers: event.linkifiers.map(viewLinkifier) })
    case 'realm_playgrounds': {
      const realm_playgrounds = event.playgrounds.map((one) => viewPlayground(one, options.languageAlias))
      return JSON.stringify({ id, type: event.type, realm_playgrounds })
    }
    case 'realm_domains/add':
    case 'realm_domains/change': {
      const realm_domain = viewEmailDomain(event.domain)
      return JSON.stringify({ id, type: 'realm_domains', op: opOf(event.type), realm_domain })
    }
    case 'realm_domains/remove':
      return JSON.stringify({ id, type: 'realm_domains', op: 'remove', domain: event.domain.domain })
    case 'realm_user_settings_defaults/update':
      return JSON.stringify({
        id,
        type: 'realm_user_settings_defaults',
        op: 'update',
        ...viewSettingChange(event.change),
      })
    case 'user_group/add': {
      const { group, memberIds, subgroupIds } = event
      const members = { directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }
      return JSON.stringify({
        id,
        type: 'user_group',
        op: 'add',
        group: viewGroup({ group, ...members }, state),
      })
    }
    case 'user_group/update': {
      const data = viewGroupChange(event.changes, state.rights.activeUsers)
      return JSON.stringify({ id, type: 'user_group', op: 'update', group_id: event.groupId, data })
    }
    case 'user_group/remove':
      return JSON.stringify({ id, type: 'user_group', op: 'remove', group_id: event.groupId })
    case 'user_group/add_members':
    case 'user_group/remove_members': {
      const { groupId: group_id, userIds: user_ids } = event
      return JSON.stringify({ id, type: 'user_group', op: opOf(event.type), group_id, user_ids })
    }
    case 'user_group/add_subgroups':
    case 'user_group/remove_subgroups': {
      const { groupId: group_id, subgroupIds: direct_subgroup_ids } = event
      return JSON.stringify({ id, type: 'user_group', op: opOf(event.type), group_id, direct_subgroup_ids })
    }
    case 'reaction/add':
    case 'reaction/remove': {
      const op = opOf(event.type)
      return JSON.stringify({ id, type: 'reaction', op, message_id: event.messageId, ...viewReaction(event) })
    }
    case 'update_message':
      return JSON.stringify({ id, ...viewMessageUpdate(event, flagNames(recipient.flags), state, options) })
    case 'typing/start':
    case 'typing/stop':
      return JSON.stringify({
        id,
        type: 'typing',
        op: opOf(event.type),
        ...viewTyping(event, state, options),
      })
    case 'typing_edit_message/start':
    case 'typing_edit_message/stop': {
      const edit = viewEditTyping(event, options)
      return JSON.stringify({ id, type: 'typing_edit_message', op: opOf(event.type), ...edit })
    }
    case 'update_message_flags': {
      const { op, flag, messages, isAll = false, details } = event
      return JSON.stringify({
        id,
        type: event.type,
        op,
        operation: op,
        flag,
        messages: messages.flatMap(({ messageIds }) => messageIds).sort((a, b) => a - b),
        all: isAll,
        ...(details ? { message_details: viewUnreadDetails(details, options.allowEmptyTopic) } : {}),
      })
    }
    case 'submessage': {
      const { id: submessage_id, ...submessage } = viewSubmessage({ ...event, id, type: 'widget' })
      return JSON.stringify({ id, type: event.type, submessage_id, ...submessage })
    }
    case 'user_settings/update':
      return JSON.stringify({ id, type: 'user_settings', op: 'update', ...viewSettingChange(event.change) })
    case 'update_display_settings':
    case 'update_global_notifications': {
      const email = state.apiEmailOf(state.getUser(event.userId))
      return JSON.stringify({ id, type: event.type, ...viewLegacyChange(event.type, email, event.change) })
    }
    case 'user_status': {
      const { type, userId, changes, isAway } = event
      const isAwayToo = isAway === undefined ? {} : { isAway }
      return JSON.stringify({ id, type, user_id: userId, ...viewStatusChange({ ...changes, ...isAwayToo }) })
    }
    case 'presence': {
      const presences = event.presences.map((one) => encodePresence(one, state.getUser(one.userId)))
      return `{"id":${id},"type":"presence","presences":{${presences.join(',')}}}`
    }
    case 'presence/single': {
      const { userId: user_id } = event.presence
      const email = state.apiEmailFor(recipient.userId, state.getUser(user_id))
      return JSON.stringify({
        id,
        type: 'presence',
        user_id,
        email,
        server_timestamp: event.toldAt,
        presence: { website: viewLegacyClient(event.presence) },
      })
    }
    case 'drafts/add': {
      const draft = viewDraft({ ...event.draft, id: id as number as DraftId })
      return JSON.stringify({ id, type: 'drafts', op: 'add', drafts: [draft] })
    }
    case 'drafts/update': {
      const draft = viewDraft({ ...event.draft, id: event.draftId })
      return JSON.stringify({ id, type: 'drafts', op: 'update', draft })
    }
    case 'drafts/remove':
      return JSON.stringify({ id, type: 'drafts', op: 'remove', draft_id: event.draftId })
    case 'saved_snippets/add': {
      const saved_snippet = viewSnippet({ ...event.snippet, id: id as number as SnippetId })
      return JSON.stringify({ id, type: 'saved_snippets', op: 'add', saved_snippet })
    }
    case 'saved_snippets/update': {
      const saved_snippet = viewSnippet(event.snippet)
      return JSON.stringify({ id, type: 'saved_snippets', op: 'update', saved_snippet })
    }
    case 'saved_snippets/remove':
      return JSON.stringify({ id, type: 'saved_snippets', op: 'remove', saved_snippet_id: event.snippetId })
    case 'navigation_view/add': {
      const navigation_view = viewNavigationView(event.view)
      return JSON.stringify({ id, type: 'navigation_view', op: 'add', navigation_view })
    }
    case 'navigation_view/update': {
      const { fragment, changes } = event
      const data = viewNavigationViewChange(changes)
      return JSON.stringify({ id, type: 'navigation_view', op: 'update', fragment, data })
    }
    case 'navigation_view/remove':
      return JSON.stringify({ id, type: 'navigation_view', op: 'remove', fragment: event.fragment })
    case 'muted_users':
      return JSON.stringify({ id, type: event.type, muted_users: event.mutedUsers.map(viewMutedUser) })
    case 'alert_words':
      return JSON.stringify({ id, type: event.type, alert_words: event.words })
    case 'organization_created':
    case 'api_keys_changed':
    case 'bot_setup_changed':
    case 'login_awaited':
    case 'users_seen':
      throw new Error(`no client is told of ${event.type}`)
  }
}

/** The part of an event's type after the stroke. */
function opOf(type: string): string {
  return type.slice(type.indexOf('/') + 1)
}

function viewUnreadDetails(details: readonly UnreadDetails[], allowEmptyTopic: boolean) {
  return Object.fromEntries(
    details.map(({ messageId, isMentioned, userIds, channelId, topic }) => [
      messageId,
      {
        ...(isMentioned ? { mentioned: true } : {}),
        ...(userIds === null
          ? {
              type: 'stream',
              stream_id: channelId,
              topic: allowEmptyTopic ? topic : topicDisplayName(topic),
              unmuted_stream_msg: true,
            }
          : { type: 'private', user_ids: userIds }),
      },
    ]),
  )
}
