/** Writes the rows that an event stands for, in the transaction that logs it. */

import type { LogEntry } from '../server/domain/events.ts'
import { storeAlertWords } from './alert-words.ts'
import { storeBotSetup } from './bot-setups.ts'
import { storeFolder, storeFolderChange, storeFolderOrder } from './channel-folders.ts'
import { storeChannel, storeChannelChange, storeDefaultChannels } from './channels.ts'
import type { Transaction } from './connect.ts'
import { storeCustomEmoji } from './custom-emoji.ts'
import { forgetAccess } from './departed-users.ts'
import { removeDraft, storeDraft, storeDraftChange } from './drafts.ts'
import { storeInvitationChange, useInvitation } from './invitations.ts'
import { deleteMessages } from './message-deletion.ts'
import { storeMessageUpdate } from './message-edits.ts'
import { storeMessage } from './messages.ts'
import { storeMuting } from './mutings.ts'
import { removeView, storeView, storeViewChange } from './navigation-views.ts'
import { removeEmailDomain, storeEmailDomain, storeList } from './organization-lists.ts'
import {
  storeNewcomersSetting,
  storeOrganization,
  storeOrganizationChange,
  storeGeneration,
} from './organization.ts'
import { removeDevice, storeDevice, storeDeviceChange } from './push-devices.ts'
import { storeProfileFields, storeProfileValue } from './profile-fields.ts'
import { placeProviderToken, removeProviderToken } from './provider-tokens.ts'
import { removeQueuesOf } from './queues.ts'
import { forgetMarks, forgetMovedUnread, forgetUnread, storeFlags } from './read-marks.ts'
import { removeReaction, storeReaction } from './reactions.ts'
import { removeScheduled, storeReminder, storeScheduled, storeScheduledChange } from './scheduled-messages.ts'
import { removeSnippet, storeSnippet, storeSnippetChange } from './saved-snippets.ts'
import { endSubscriptions, startSubscriptions, storeSubscriptionSettings } from './subscriptions.ts'
import {
  addGroupMembers,
  addSubgroups,
  removeGroupMembers,
  removeSubgroups,
  storeUserGroup,
  storeUserGroupChange,
} from './user-groups.ts'
import { storeSubmessage } from './submessages.ts'
import { removeUpload, storeUpload } from './uploads.ts'
import { storeUserStatus } from './user-statuses.ts'
import { storeUserTopic } from './user-topics.ts'
import {
  storeApiKeys,
  storeAwaitedLogin,
  storeAvatar,
  storeUser,
  storeUserChange,
  storeUserSetting,
  storeUsersSeen,
} from './users.ts'

/** Stores one numbered event's rows. */
export async function storeEvent(tx: Transaction, { id, event, audience }: LogEntry): Promise<void> {
  switch (event.type) {
    case 'message':
      return storeMessage(tx, id, event)
    case 'delete_message':
      return deleteMessages(tx, event)
    case 'delete_message/hidden':
      if (audience.kind === 'users') await forgetMarks(tx, event.messageIds, audience.users.toArray())
      return
    case 'organization_created':
      return storeOrganization(tx, event.organization)
    case 'realm/update_dict':
      return storeOrganizationChange(tx, event.changes)
    case 'realm_linkifiers':
      return storeList(tx, 'linkifiers', event.linkifiers)
    case 'realm_playgrounds':
      return storeList(tx, 'playgrounds', event.playgrounds)
    case 'realm_domains/add':
    case 'realm_domains/change':
      return storeEmailDomain(tx, event.domain)
    case 'realm_domains/remove':
      return removeEmailDomain(tx, event.domain.id)
    case 'realm_user_settings_defaults/update':
      return storeNewcomersSetting(tx, event.change)
    case 'realm_user/add':
      return storeUser(tx, event.user, event.settings)
    case 'realm_user/update':
      await storeUserChange(tx, event.userId, event.changes)
      if (event.changes.isActive === false) {
        await removeQueuesOf(tx, event.userId)
        await forgetAccess(tx, event.userId)
      }
      return
    case 'login_awaited':
      return storeAwaitedLogin(tx, event.userId)
    case 'bot_setup_changed':
      return storeBotSetup(tx, event.botId, event.setup)
    case 'realm_user/avatar':
      if (event.avatar) await storeAvatar(tx, event.userId, event.avatar)
      return
    case 'realm_emoji/update':
      return storeCustomEmoji(tx, event.emoji)
    case 'realm_user/profile':
      return storeProfileValue(tx, event.userId, event.fieldId, event.filled)
    case 'custom_profile_fields':
      return storeProfileFields(tx, event.fields)
    case 'restart':
      return storeGeneration(tx, event.generation)
    case 'users_seen':
      return storeUsersSeen(tx, event.day, event.userIds)
    case 'api_keys_changed':
      return storeApiKeys(tx, event.userId, event.keyHashes)
    case 'stream/create':
      for (const channel of event.isNew ? event.channels : []) await storeChannel(tx, channel)
      return
    case 'stream/update':
      if (!event.isSightOnly) await storeChannelChange(tx, event.channelId, event.change)
      return
    case 'default_streams':
      if (!event.isSightOnly) await storeDefaultChannels(tx, event.channelIds)
      return
    case 'channel_folder/add':
      return storeFolder(tx, event.folder)
    case 'channel_folder/update':
      return storeFolderChange(tx, event.folderId, event.changes)
    case 'channel_folder/reorder':
      return storeFolderOrder(tx, event.folderIds)
    case 'subscription/add':
      return startSubscriptions(
        tx,
        id,
        event.channels.map((channel) => channel.id),
        event.userIds,
      )
    case 'subscription/remove':
      await endSubscriptions(tx, id, event.channelIds, event.userIds)
      return forgetUnread(tx, event.channelIds, event.userIds)
    case 'subscription/update': {
      const { property, value } = event.change
      if (property === 'inHomeView') return
      return storeSubscriptionSettings(tx, event.userId, event.channelId, { [property]: value })
    }
    case 'user_topic':
      return storeUserTopic(tx, event.userId, event.userTopic)
    case 'user_group/add':
      if (event.isNew) await storeUserGroup(tx, event.group, event.memberIds, event.subgroupIds)
      return
    case 'user_group/update':
      if (!event.isSightOnly) await storeUserGroupChange(tx, event.groupId, event.changes)
      return
    case 'user_group/add_members':
      if (!event.isHidden) await addGroupMembers(tx, event.groupId, event.userIds)
      return
    case 'user_group/remove_members':
      if (!event.isHidden) await removeGroupMembers(tx, event.groupId, event.userIds)
      return
    case 'user_group/add_subgroups':
      return addSubgroups(tx, event.groupId, event.subgroupIds)
    case 'user_group/remove_subgroups':
      return removeSubgroups(tx, event.groupId, event.subgroupIds)
    case 'update_message':
      await storeMessageUpdate(tx, id, event)
      if (event.move?.toChannel) await forgetMovedUnread(tx, event.messageIds, event.move.toChannel.channelId)
      return
    case 'update_message_flags':
      return storeFlags(tx, id, event)
    case 'submessage':
      return storeSubmessage(tx, id, event)
    case 'user_settings/update':
      return storeUserSetting(tx, event.userId, event.change)
    case 'user_status':
      if (!event.isSightOnly) await storeUserStatus(tx, event.userId, event.changes)
      return
    case 'drafts/add':
      return storeDraft(tx, id, event.userId, event.draft)
    case 'drafts/update':
      return storeDraftChange(tx, event.userId, event.draftId, event.draft)
    case 'drafts/remove':
      return removeDraft(tx, event.userId, event.draftId)
    case 'saved_snippets/add':
      return storeSnippet(tx, id, event.userId, event.snippet)
    case 'saved_snippets/update':
      return storeSnippetChange(tx, id, event.userId, event.snippet)
    case 'saved_snippets/remove':
      return removeSnippet(tx, event.userId, event.snippetId)
    case 'scheduled_messages/add':
      return storeScheduled(tx, id, event.userId, event.scheduled)
    case 'scheduled_messages/update':
      return storeScheduledChange(tx, id, event.scheduled)
    case 'reminders/add':
      return storeReminder(tx, id, event.userId, event.reminder)
    case 'scheduled_messages/remove':
    case 'reminders/remove':
      return removeScheduled(tx, id, event)
    case 'navigation_view/add':
      return storeView(tx, id, event.userId, event.view)
    case 'navigation_view/update':
      return storeViewChange(tx, event.userId, event.fragment, event.changes)
    case 'navigation_view/remove':
      return removeView(tx, event.userId, event.fragment)
    case 'attachment/add':
      return storeUpload(tx, event.upload)
    case 'attachment/remove':
      return removeUpload(tx, event.uploadId, event.ownerId)
    case 'device/add':
      return storeDevice(tx, id, event.userId)
    case 'device/update':
      return storeDeviceChange(tx, event)
    case 'device/remove':
      return removeDevice(tx, event.userId, event.deviceId)
    case 'muted_users':
      return storeMuting(tx, id, event)
    case 'alert_words':
      return storeAlertWords(tx, event.userId, event.words)
    case 'invites_changed':
      return storeInvitationChange(tx, id, event.change)
    case 'invitation_used':
      return useInvitation(tx, event.invitationId, event.usedAt)
    case 'has_provider_token':
      return event.value
        ? placeProviderToken(tx, event.userId, event.tokenId)
        : removeProviderToken(tx, event.userId, event.tokenId)
    case 'reaction/add':
      return storeReaction(tx, id, event)
    case 'reaction/remove':
      return removeReaction(tx, event)
    case 'realm_bot/add':
    case 'realm_bot/update':
    case 'realm_bot/delete':
    case 'realm_user/email':
    case 'realm_user/delivery_email':
    case 'realm_user/reveal':
    case 'realm_user/conceal':
    case 'stream/delete':
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
    case 'user_group/remove':
    case 'typing/start':
    case 'typing/stop':
    case 'typing_edit_message/start':
    case 'typing_edit_message/stop':
    case 'delete_message/single':
    case 'muted_topics':
    case 'update_display_settings':
    case 'update_global_notifications':
    case 'presence':
    case 'presence/single':
    case 'attachment/update':
    case 'heartbeat':
      return // Told to clients only: the rows come with the event that caused it.
    default:
      event satisfies never
  }
}
