/** Writes the rows of an event, in the batch that logs it. */

import type { Notice } from '../../server/domain/event-traits.ts'
import type { NewEvent } from '../../server/domain/events.ts'
import { endsSessions } from '../../server/domain/events/users.ts'
import type { EventId } from '../../server/domain/ids.ts'
import { storeOwnAddress } from '../accounts/address-changes.ts'
import { storeAlertWords } from '../personal/alert-words.ts'
import { storeBotSetup } from '../organization/bot-setups.ts'
import { storeFolder, storeFolderChange, storeFolderOrder } from '../organization/channel-folders.ts'
import { storeChannelChange, storeChannels, storeDefaultChannels } from '../organization/channels.ts'
import { storeCustomEmoji } from '../organization/custom-emoji.ts'
import { forgetAccess } from '../accounts/departed-users.ts'
import { removeDraft, storeDraftChange } from '../personal/drafts.ts'
import { storeInvitationChange, useInvitation } from '../accounts/invitations.ts'
import { requireProof } from '../accounts/login-proofs.ts'
import { removeLoginSessions, storeLoginSessions } from '../accounts/login-sessions.ts'
import { deleteMessages } from '../messages/message-deletion.ts'
import { storeMessageUpdate } from '../messages/message-edits.ts'
import { storeMessage } from '../messages/messages.ts'
import { storeMuting } from '../personal/mutings.ts'
import { removeView, storeView, storeViewChange } from '../personal/navigation-views.ts'
import { removeEmailDomain, storeEmailDomain, storeList } from '../organization/organization-lists.ts'
import {
  storeNewUserSetting,
  storeOrganization,
  storeOrganizationChange,
  storeOrganizationPicture,
  storeGeneration,
} from '../organization/organization.ts'
import { removeDevice, storeDevice, storeDeviceChange } from '../personal/push-devices.ts'
import { storeProfileFields } from '../organization/profile-fields.ts'
import { placeProviderToken, removeProviderToken } from '../accounts/provider-tokens.ts'
import { removeQueuesOf } from './queues.ts'
import { forgetMarks, forgetMovedUnread, forgetUnread, storeFlags } from '../unread/read-marks.ts'
import { removeReaction, storeReaction } from '../messages/reactions.ts'
import {
  removeScheduled,
  storeReminder,
  storeScheduled,
  storeScheduledChange,
} from '../messages/scheduled-messages.ts'
import { removeSnippet, storeSnippet, storeSnippetChange } from '../personal/saved-snippets.ts'
import { endSubscriptions, startSubscriptions } from '../organization/subscriptions.ts'
import {
  addGroupMembers,
  addSubgroups,
  removeGroupMembers,
  removeSubgroups,
  storeUserGroup,
  storeUserGroupChange,
} from '../organization/user-groups.ts'
import { storeRun } from './store-runs.ts'
import { storeFactorChange } from '../accounts/second-factors.ts'
import { storeSubmessage } from '../messages/submessages.ts'
import { removeUpload, storeUpload } from '../files/uploads.ts'
import { storeUserStatus } from '../personal/user-statuses.ts'
import { storeUserTopic } from '../personal/user-topics.ts'
import {
  storeApiKeys,
  storeAwaitedLogin,
  storeAvatar,
  storeNewPassword,
  storeUser,
  storeUserChange,
  storeUsersSeen,
} from '../accounts/users.ts'
import type { InSql, WriteBatch } from './write-batch.ts'

/** Adds the writes for the rows of events; `idOf` answers each number as an expression. */
export function storeEvents(
  writes: WriteBatch,
  events: readonly NewEvent[],
  idOf: (index: number) => InSql<EventId>,
): void {
  for (let start = 0; start < events.length; ) {
    const length = storeRun(writes, idOf(start), events, start)
    if (length === 0) storeEvent(writes, idOf(start), events[start] as NewEvent)
    start += length || 1
  }
}

/** Adds the writes for one event's rows; its number is an expression. */
function storeEvent(writes: WriteBatch, id: InSql<EventId>, { event, audience }: NewEvent): void {
  switch (event.type) {
    case 'message':
      return storeMessage(writes, id, event)
    case 'delete_message':
      return deleteMessages(writes, event)
    case 'delete_message/hidden':
      if (audience.kind === 'users') forgetMarks(writes, event.messageIds, audience.users.toArray())
      return
    case 'organization_created':
      return storeOrganization(writes, event.organization)
    case 'realm/update_dict':
      return storeOrganizationChange(writes, event.changes)
    case 'realm/picture':
      return storeOrganizationPicture(writes, event.which, event.pictureId)
    case 'realm_linkifiers':
      return storeList(writes, 'linkifiers', event.linkifiers)
    case 'realm_playgrounds':
      return storeList(writes, 'playgrounds', event.playgrounds)
    case 'realm_domains/add':
    case 'realm_domains/change':
      return storeEmailDomain(writes, event.domain)
    case 'realm_domains/remove':
      return removeEmailDomain(writes, event.domain.id)
    case 'realm_user_settings_defaults/update':
      return storeNewUserSetting(writes, event.change)
    case 'realm_user/add':
      return storeUser(writes, event)
    case 'realm_user/update':
      storeUserChange(writes, event.userId, event.changes)
      if (endsSessions(event.changes)) removeLoginSessions(writes, event.userId)
      if (event.changes.isActive === false) {
        removeQueuesOf(writes, event.userId)
        forgetAccess(writes, event.userId)
      }
      return
    case 'login_awaited':
      return storeAwaitedLogin(writes, event.userId)
    case 'bot_setup_changed':
      return storeBotSetup(writes, event.botId, event.setup)
    case 'realm_user/avatar':
      return storeAvatar(writes, event.userId, event.avatar)
    case 'realm_emoji/update':
      return storeCustomEmoji(writes, event.emoji)
    case 'custom_profile_fields':
      return storeProfileFields(writes, event.fields)
    case 'restart':
    case 'release_noted':
      return storeGeneration(writes, event.generation)
    case 'users_seen':
      return storeUsersSeen(writes, event.day, event.userIds)
    case 'api_keys_changed':
      if (event.proof) requireProof(writes, event.userId, event.proof.reveal())
      return storeApiKeys(writes, event.userId, event.keyHashes)
    case 'login_sessions_changed':
      if (event.proof) requireProof(writes, event.userId, event.proof.reveal())
      return storeLoginSessions(writes, event.userId, event.sessions)
    case 'password_set':
      return storeNewPassword(writes, event.userId, event.secrets.reveal())
    case 'second_factors_changed':
      return storeFactorChange(writes, event.userId, event.secrets.reveal())
    case 'own_address':
      return storeOwnAddress(writes, event.userId, event.step.reveal())
    case 'stream/create':
      return storeChannels(writes, event.channels)
    case 'stream/update':
      return storeChannelChange(writes, event.channelId, event.change)
    case 'default_streams':
      return storeDefaultChannels(writes, event.channelIds)
    case 'channel_folder/add':
      return storeFolder(writes, event.folder)
    case 'channel_folder/update':
      return storeFolderChange(writes, event.folderId, event.changes)
    case 'channel_folder/reorder':
      return storeFolderOrder(writes, event.folderIds)
    case 'subscription/add':
      return startSubscriptions(
        writes,
        id,
        event.channels.map((channel) => channel.id),
        event.userIds,
      )
    case 'subscription/remove':
      endSubscriptions(writes, id, event.channelIds, event.userIds)
      return forgetUnread(writes, event.channelIds, event.userIds)
    case 'user_topic':
      return storeUserTopic(writes, event.userId, event.userTopic)
    case 'user_group/add':
      return storeUserGroup(writes, event.group, event.memberIds, event.subgroupIds)
    case 'user_group/update':
      return storeUserGroupChange(writes, event.groupId, event.changes)
    case 'user_group/add_members':
      return addGroupMembers(writes, event.groupId, event.userIds)
    case 'user_group/remove_members':
      return removeGroupMembers(writes, event.groupId, event.userIds)
    case 'user_group/add_subgroups':
      return addSubgroups(writes, event.groupId, event.subgroupIds)
    case 'user_group/remove_subgroups':
      return removeSubgroups(writes, event.groupId, event.subgroupIds)
    case 'update_message':
      storeMessageUpdate(writes, id, event)
      if (event.move?.toChannel) forgetMovedUnread(writes, event.messageIds, event.move.toChannel.channelId)
      return
    case 'update_message_flags':
      return storeFlags(writes, id, event)
    case 'submessage':
      return storeSubmessage(writes, id, event)
    case 'user_status':
      return storeUserStatus(writes, event.userId, event.changes)
    case 'drafts/update':
      return storeDraftChange(writes, event.userId, event.draftId, event.draft)
    case 'drafts/remove':
      return removeDraft(writes, event.userId, event.draftId)
    case 'saved_snippets/add':
      return storeSnippet(writes, id, event.userId, event.snippet)
    case 'saved_snippets/update':
      return storeSnippetChange(writes, id, event.userId, event.snippet)
    case 'saved_snippets/remove':
      return removeSnippet(writes, event.userId, event.snippetId)
    case 'scheduled_messages/add':
      return storeScheduled(writes, id, event.userId, event.scheduled)
    case 'scheduled_messages/update':
      return storeScheduledChange(writes, id, event.scheduled)
    case 'reminders/add':
      return storeReminder(writes, id, event.userId, event.reminder)
    case 'scheduled_messages/remove':
    case 'reminders/remove':
      return removeScheduled(writes, id, event)
    case 'navigation_view/add':
      return storeView(writes, id, event.userId, event.view)
    case 'navigation_view/update':
      return storeViewChange(writes, event.userId, event.fragment, event.changes)
    case 'navigation_view/remove':
      return removeView(writes, event.userId, event.fragment)
    case 'attachment/add':
      return storeUpload(writes, event.upload)
    case 'attachment/remove':
      return removeUpload(writes, event.uploadId, event.ownerId)
    case 'device/add':
      return storeDevice(writes, id, event.userId)
    case 'device/update':
      return storeDeviceChange(writes, event)
    case 'device/remove':
      return removeDevice(writes, event.userId, event.deviceId)
    case 'muted_users':
      return storeMuting(writes, id, event)
    case 'alert_words':
      return storeAlertWords(writes, event.userId, event.words)
    case 'invites_changed':
      return storeInvitationChange(writes, id, event.change)
    case 'invitation_used':
      return useInvitation(writes, event.invitationId, event.usedAt, event.proof?.reveal())
    case 'has_provider_token':
      return event.value
        ? placeProviderToken(writes, event.userId, event.tokenId)
        : removeProviderToken(writes, event.userId, event.tokenId)
    case 'reaction/add':
      return storeReaction(writes, id, event)
    case 'reaction/remove':
      return removeReaction(writes, event)
    case 'subscription/update': // Stored together with others of its type, as the next three are.
    case 'drafts/add':
    case 'user_settings/update':
    case 'realm_user/profile':
    case 'attachment/update': // Its rows are stored with the messages.
    case 'heartbeat':
    case 'access_refused':
      return
    default:
      event satisfies Notice // Its rows are stored with the facts that it follows.
  }
}
