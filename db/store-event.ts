/** Writes the rows that an event stands for, in the transaction that logs it. */

import type { LogEntry } from '../server/domain/events.ts'
import { storeFolder, storeFolderChange, storeFolderOrder } from './channel-folders.ts'
import { storeChannel, storeChannelChange, storeDefaultChannels } from './channels.ts'
import type { Transaction } from './connect.ts'
import { deleteMessages, storeMessage } from './messages.ts'
import { storeOrganization, storeOrganizationChange } from './organization.ts'
import { removeQueuesOf } from './queues.ts'
import { forgetUnread, storeFlags } from './read-marks.ts'
import { removeReaction, storeReaction } from './reactions.ts'
import { endSubscriptions, startSubscriptions, storeSubscriptionSettings } from './subscriptions.ts'
import {
  addGroupMembers,
  addSubgroups,
  removeGroupMembers,
  removeSubgroups,
  storeUserGroup,
  storeUserGroupChange,
} from './user-groups.ts'
import { storeUserTopic } from './user-topics.ts'
import { storeApiKeys, storeUser, storeUserChange, storeUsersSeen } from './users.ts'

/** Stores one numbered event's rows. */
export async function storeEvent(tx: Transaction, { id, event }: LogEntry): Promise<void> {
  switch (event.type) {
    case 'message':
      return storeMessage(tx, id, event)
    case 'delete_message':
      return deleteMessages(tx, event)
    case 'organization_created':
      return storeOrganization(tx, event.organization)
    case 'realm/update_dict':
      return storeOrganizationChange(tx, event.changes)
    case 'realm_user/add':
      return storeUser(tx, event.user)
    case 'realm_user/update':
      await storeUserChange(tx, event.userId, event.changes)
      if (event.changes.isActive === false) await removeQueuesOf(tx, event.userId)
      return
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
    case 'update_message_flags':
      return storeFlags(tx, id, event)
    case 'reaction/add':
      return storeReaction(tx, id, event)
    case 'reaction/remove':
      return removeReaction(tx, event)
    case 'stream/delete':
    case 'subscription/peer_add':
    case 'subscription/peer_remove':
    case 'user_group/remove':
    case 'delete_message/single':
    case 'muted_topics':
      return // Told to clients only: the rows come with the event that caused it.
  }
}
