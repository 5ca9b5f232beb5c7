/** The table of operations: routing, decoding, the reference and its tests all derive from it. */

import type { Operation } from './operation.ts'
import { addDefaultChannel } from './operations/channels/add-default-channel.ts'
import { archiveChannel } from './operations/channels/archive-channel.ts'
import { createChannel } from './operations/channels/create-channel.ts'
import { getChannelId } from './operations/channels/get-channel-id.ts'
import { getChannelMembers } from './operations/channels/get-channel-members.ts'
import { getChannel } from './operations/channels/get-channel.ts'
import { getChannels } from './operations/channels/get-channels.ts'
import { removeDefaultChannel } from './operations/channels/remove-default-channel.ts'
import { updateChannel } from './operations/channels/update-channel.ts'
import { deleteQueue } from './operations/events/delete-queue.ts'
import { getEvents } from './operations/events/get-events.ts'
import { registerQueue } from './operations/events/register-queue.ts'
import { createFolder } from './operations/folders/create-folder.ts'
import { getFolders } from './operations/folders/get-folders.ts'
import { reorderFolders } from './operations/folders/reorder-folders.ts'
import { updateFolder } from './operations/folders/update-folder.ts'
import { addReaction } from './operations/messages/add-reaction.ts'
import { getMessage } from './operations/messages/get-message.ts'
import { getMessages } from './operations/messages/get-messages.ts'
import { removeReaction } from './operations/messages/remove-reaction.ts'
import { renderMessage } from './operations/messages/render-message.ts'
import { matchNarrow } from './operations/messages/match-narrow.ts'
import { sendMessage } from './operations/messages/send-message.ts'
import { updateOrganization } from './operations/organization/update-organization.ts'
import { getServerSettings } from './operations/server/get-server-settings.ts'
import { changeSubscriptionProperties } from './operations/subscriptions/change-properties.ts'
import { changeSubscriptions } from './operations/subscriptions/change-subscriptions.ts'
import { getSubscriptionStatus } from './operations/subscriptions/get-subscription-status.ts'
import { getSubscriptions } from './operations/subscriptions/get-subscriptions.ts'
import { muteTopic } from './operations/subscriptions/mute-topic.ts'
import { subscribe } from './operations/subscriptions/subscribe.ts'
import { unsubscribe } from './operations/subscriptions/unsubscribe.ts'
import { deleteTopic } from './operations/topics/delete-topic.ts'
import { getTopics } from './operations/topics/get-topics.ts'
import { setUserTopic } from './operations/topics/set-user-topic.ts'
import { createUserGroup } from './operations/user-groups/create-user-group.ts'
import { deactivateUserGroup } from './operations/user-groups/deactivate-user-group.ts'
import { getGroupMembers, getGroupMembership } from './operations/user-groups/get-group-members.ts'
import { getSubgroups } from './operations/user-groups/get-subgroups.ts'
import { getUserGroups } from './operations/user-groups/get-user-groups.ts'
import { updateGroupMembers } from './operations/user-groups/update-group-members.ts'
import { updateSubgroups } from './operations/user-groups/update-subgroups.ts'
import { updateUserGroup } from './operations/user-groups/update-user-group.ts'
import { deactivateOwnUser, deactivateUser } from './operations/users/deactivate-user.ts'
import { fetchApiKey } from './operations/users/fetch-api-key.ts'
import { getOwnUser, getUser, getUsers } from './operations/users/get-users.ts'
import { reactivateUser } from './operations/users/reactivate-user.ts'
import { updateUser } from './operations/users/update-user.ts'

export const OPERATIONS: readonly Operation[] = [
  getServerSettings,
  fetchApiKey,
  registerQueue,
  getEvents,
  deleteQueue,
  sendMessage,
  getMessages,
  getMessage,
  renderMessage,
  addReaction,
  removeReaction,
  matchNarrow,
  getUsers,
  getOwnUser,
  getUser,
  updateUser,
  deactivateUser,
  reactivateUser,
  deactivateOwnUser,
  updateOrganization,
  getChannels,
  getChannel,
  getChannelId,
  getChannelMembers,
  updateChannel,
  archiveChannel,
  addDefaultChannel,
  removeDefaultChannel,
  getFolders,
  createFolder,
  updateFolder,
  reorderFolders,
  createChannel,
  getSubscriptions,
  getSubscriptionStatus,
  subscribe,
  unsubscribe,
  changeSubscriptions,
  changeSubscriptionProperties,
  muteTopic,
  setUserTopic,
  getTopics,
  deleteTopic,
  getUserGroups,
  createUserGroup,
  updateUserGroup,
  deactivateUserGroup,
  getGroupMembers,
  updateGroupMembers,
  getGroupMembership,
  getSubgroups,
  updateSubgroups,
]
