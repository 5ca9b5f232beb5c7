/** The table of operations; routing, decoding, the reference and its tests derive from it. */

import type { Operation } from './operation.ts'
import { addAlertWords } from './operations/alert-words/add-alert-words.ts'
import { getAlertWords } from './operations/alert-words/get-alert-words.ts'
import { removeAlertWords } from './operations/alert-words/remove-alert-words.ts'
import { getBotStorage } from './operations/bot-storage/get-storage.ts'
import { removeBotStorage } from './operations/bot-storage/remove-storage.ts'
import { updateBotStorage } from './operations/bot-storage/update-storage.ts'
import { createBot } from './operations/bots/create-bot.ts'
import { deleteBot } from './operations/bots/delete-bot.ts'
import { getBotKey } from './operations/bots/get-bot-key.ts'
import { getBots } from './operations/bots/get-bots.ts'
import { regenerateBotKey } from './operations/bots/regenerate-bot-key.ts'
import { updateBot } from './operations/bots/update-bot.ts'
import { createCall } from './operations/calls/create-call.ts'
import { registerProvider } from './operations/calls/register-provider.ts'
import { deleteAttachment } from './operations/attachments/delete-attachment.ts'
import { getAttachments } from './operations/attachments/get-attachments.ts'
import { addDefaultChannel } from './operations/channels/add-default-channel.ts'
import { archiveChannel } from './operations/channels/archive-channel.ts'
import { createChannel } from './operations/channels/create-channel.ts'
import { getChannelId } from './operations/channels/get-channel-id.ts'
import { getChannelMembers } from './operations/channels/get-channel-members.ts'
import { getChannel } from './operations/channels/get-channel.ts'
import { getChannels } from './operations/channels/get-channels.ts'
import { removeDefaultChannel } from './operations/channels/remove-default-channel.ts'
import { updateChannel } from './operations/channels/update-channel.ts'
import { fetchDevelopmentKey } from './operations/development/fetch-development-key.ts'
import { listDevelopmentUsers } from './operations/development/list-development-users.ts'
import { createDrafts } from './operations/drafts/create-drafts.ts'
import { deleteDraft } from './operations/drafts/delete-draft.ts'
import { getDrafts } from './operations/drafts/get-drafts.ts'
import { updateDraft } from './operations/drafts/update-draft.ts'
import { createStreamTicket } from './operations/events/create-ticket.ts'
import { deleteQueue } from './operations/events/delete-queue.ts'
import { getEvents } from './operations/events/get-events.ts'
import { registerQueue } from './operations/events/register-queue.ts'
import { getReadReceipts } from './operations/flags/get-read-receipts.ts'
import { markAllAsRead } from './operations/flags/mark-all-as-read.ts'
import { markChannelAsRead } from './operations/flags/mark-channel-as-read.ts'
import { markTopicAsRead } from './operations/flags/mark-topic-as-read.ts'
import { updateFlagsInNarrow } from './operations/flags/update-flags-in-narrow.ts'
import { updateFlags } from './operations/flags/update-flags.ts'
import { createDomain } from './operations/domains/create-domain.ts'
import { deleteDomain } from './operations/domains/delete-domain.ts'
import { getDomains } from './operations/domains/get-domains.ts'
import { updateDomain } from './operations/domains/update-domain.ts'
import { createInvitationLink } from './operations/invites/create-link.ts'
import { getInvitations } from './operations/invites/get-invitations.ts'
import { inviteByEmail } from './operations/invites/invite-by-email.ts'
import { resendInvitation } from './operations/invites/resend-invitation.ts'
import { revokeInvitation, revokeInvitationLink } from './operations/invites/revoke-invitation.ts'
import { createLinkifier } from './operations/linkifiers/create-linkifier.ts'
import { deleteLinkifier } from './operations/linkifiers/delete-linkifier.ts'
import { getFilters } from './operations/linkifiers/get-filters.ts'
import { getLinkifiers } from './operations/linkifiers/get-linkifiers.ts'
import { reorderLinkifiers } from './operations/linkifiers/reorder-linkifiers.ts'
import { updateLinkifier } from './operations/linkifiers/update-linkifier.ts'
import { createPlayground } from './operations/playgrounds/create-playground.ts'
import { deletePlayground } from './operations/playgrounds/delete-playground.ts'
import { createFolder } from './operations/folders/create-folder.ts'
import { getFolders } from './operations/folders/get-folders.ts'
import { reorderFolders } from './operations/folders/reorder-folders.ts'
import { updateFolder } from './operations/folders/update-folder.ts'
import { addCustomEmoji } from './operations/emoji/add-emoji.ts'
import { deactivateCustomEmoji } from './operations/emoji/deactivate-emoji.ts'
import { getCustomEmoji } from './operations/emoji/get-emoji.ts'
import { addReaction } from './operations/messages/add-reaction.ts'
import { deleteMessage } from './operations/messages/delete-message.ts'
import { getHistory } from './operations/messages/get-history.ts'
import { getMessage } from './operations/messages/get-message.ts'
import { getMessages } from './operations/messages/get-messages.ts'
import { removeReaction } from './operations/messages/remove-reaction.ts'
import { renderMessage } from './operations/messages/render-message.ts'
import { matchNarrow } from './operations/messages/match-narrow.ts'
import { reportMessage } from './operations/messages/report-message.ts'
import { sendMessage } from './operations/messages/send-message.ts'
import { updateMessage } from './operations/messages/update-message.ts'
import { getAuditLog } from './operations/organization/get-audit-log.ts'
import { getOrganizationPresence } from './operations/organization/get-organization-presence.ts'
import {
  getIcon,
  getLogo,
  removeIcon,
  removeLogo,
  setIcon,
  setLogo,
} from './operations/organization/organization-pictures.ts'
import { testWelcomeMessage } from './operations/organization/test-welcome-message.ts'
import { updateDefaultSettings } from './operations/organization/update-defaults.ts'
import { updateOrganization } from './operations/organization/update-organization.ts'
import { muteUser } from './operations/muted-users/mute-user.ts'
import { unmuteUser } from './operations/muted-users/unmute-user.ts'
import { createView } from './operations/navigation-views/create-view.ts'
import { deleteView } from './operations/navigation-views/delete-view.ts'
import { getViews } from './operations/navigation-views/get-views.ts'
import { updateView } from './operations/navigation-views/update-view.ts'
import { createProfileField } from './operations/profile-fields/create-field.ts'
import { deleteProfileField } from './operations/profile-fields/delete-field.ts'
import { getProfileFields } from './operations/profile-fields/get-fields.ts'
import { reorderProfileFields } from './operations/profile-fields/reorder-fields.ts'
import { emptyOwnProfile, setOwnProfile } from './operations/profile-fields/set-own-profile.ts'
import { updateProfileField } from './operations/profile-fields/update-field.ts'
import { createReminder } from './operations/reminders/create-reminder.ts'
import { deleteReminder } from './operations/reminders/delete-reminder.ts'
import { getReminders } from './operations/reminders/get-reminders.ts'
import { deleteScheduledMessage } from './operations/scheduled-messages/delete-scheduled-message.ts'
import { getScheduledMessages } from './operations/scheduled-messages/get-scheduled-messages.ts'
import { scheduleMessage } from './operations/scheduled-messages/schedule-message.ts'
import { updateScheduledMessage } from './operations/scheduled-messages/update-scheduled-message.ts'
import { createSnippet } from './operations/saved-snippets/create-snippet.ts'
import { deleteSnippet } from './operations/saved-snippets/delete-snippet.ts'
import { getSnippets } from './operations/saved-snippets/get-snippets.ts'
import { updateSnippet } from './operations/saved-snippets/update-snippet.ts'
import { addAndroidToken } from './operations/push/add-android-token.ts'
import { addApnsToken } from './operations/push/add-apns-token.ts'
import { registerDevice } from './operations/push/register-device.ts'
import { registerPush } from './operations/push/register-push.ts'
import { removeAndroidToken } from './operations/push/remove-android-token.ts'
import { removeApnsToken } from './operations/push/remove-apns-token.ts'
import { removeDevice } from './operations/push/remove-device.ts'
import { sendE2eeTest } from './operations/push/send-e2ee-test.ts'
import { sendTest } from './operations/push/send-test.ts'
import { getServerSettings } from './operations/server/get-server-settings.ts'
import {
  endUserSessions,
  logOut,
  revokeOtherSessions,
  revokeSession,
} from './operations/sessions/end-sessions.ts'
import { getOwnSessions } from './operations/sessions/get-sessions.ts'
import {
  confirmOwnTotp,
  disableOwnTotp,
  renewOwnCodes,
  startOwnTotp,
} from './operations/second-factors/change-totp.ts'
import { getOwnFactors } from './operations/second-factors/get-factors.ts'
import { resetUserFactors } from './operations/second-factors/reset-factors.ts'
import {
  addOwnPasskey,
  beginOwnPasskey,
  getOwnPasskeys,
  removePasskey,
  renameOwnPasskey,
} from './operations/passkeys/change-passkeys.ts'
import { beginLoginByPasskey, logInByPasskey } from './operations/passkeys/log-in-by-passkey.ts'
import { getDemoAccounts } from './operations/demo/get-demo-accounts.ts'
import { logInToDemo } from './operations/demo/log-in-to-demo.ts'
import { logInDesktop } from './operations/sessions/log-in-desktop.ts'
import { startLoginSession } from './operations/sessions/log-in.ts'
import { addSubmessage } from './operations/submessages/add-submessage.ts'
import {
  changeSubscriptionProperties,
  changeSubscriptionProperty,
} from './operations/subscriptions/change-properties.ts'
import { changeSubscriptions } from './operations/subscriptions/change-subscriptions.ts'
import { getSubscriptionStatus } from './operations/subscriptions/get-subscription-status.ts'
import { getSubscriptions } from './operations/subscriptions/get-subscriptions.ts'
import { muteTopic } from './operations/subscriptions/mute-topic.ts'
import { subscribe } from './operations/subscriptions/subscribe.ts'
import { unsubscribe } from './operations/subscriptions/unsubscribe.ts'
import { deleteTopic } from './operations/topics/delete-topic.ts'
import { getTopics } from './operations/topics/get-topics.ts'
import { setUserTopic } from './operations/topics/set-user-topic.ts'
import { sendEditTyping } from './operations/typing/send-edit-typing.ts'
import { sendTyping } from './operations/typing/send-typing.ts'
import { createUserGroup } from './operations/user-groups/create-user-group.ts'
import { deactivateUserGroup, removeUserGroup } from './operations/user-groups/deactivate-user-group.ts'
import { getGroupMembers, getGroupMembership } from './operations/user-groups/get-group-members.ts'
import { getSubgroups } from './operations/user-groups/get-subgroups.ts'
import { getUserGroups } from './operations/user-groups/get-user-groups.ts'
import { updateGroupMembers } from './operations/user-groups/update-group-members.ts'
import { updateSubgroups } from './operations/user-groups/update-subgroups.ts'
import { updateUserGroup } from './operations/user-groups/update-user-group.ts'
import { deactivateOwnUser, deactivateUser } from './operations/users/deactivate-user.ts'
import { fetchApiKey } from './operations/users/fetch-api-key.ts'
import { createUser } from './operations/users/create-user.ts'
import { getAvatar, getMediumAvatar } from './operations/users/get-avatar.ts'
import { getOwnUser } from './operations/users/get-own-user.ts'
import { getUserByEmail } from './operations/users/get-user-by-email.ts'
import { getUser } from './operations/users/get-user.ts'
import { getUsers } from './operations/users/get-users.ts'
import { reactivateUser } from './operations/users/reactivate-user.ts'
import { markOnboardingStep } from './operations/users/mark-onboarding-step.ts'
import { regenerateOwnKey } from './operations/users/regenerate-own-key.ts'
import {
  updateDisplaySettings,
  updateNotificationSettings,
} from './operations/users/update-older-settings.ts'
import { updateSettings } from './operations/users/update-settings.ts'
import { getUserPresence } from './operations/users/get-presence.ts'
import { getUserStatus } from './operations/users/get-status.ts'
import { reportPresence } from './operations/users/report-presence.ts'
import { removeOwnAvatar, setOwnAvatar } from './operations/users/set-own-avatar.ts'
import { setOwnStatus } from './operations/users/set-own-status.ts'
import { getThumbnailStatus } from './operations/uploads/get-thumbnail-status.ts'
import { getTemporaryUrl } from './operations/uploads/get-temporary-url.ts'
import { uploadFile } from './operations/uploads/upload-file.ts'
import { setStatus } from './operations/users/set-status.ts'
import { updateUser, updateUserByEmail } from './operations/users/update-user.ts'

export const OPERATIONS: readonly Operation[] = [
  createCall,
  registerProvider,
  getInvitations,
  createInvitationLink,
  revokeInvitationLink,
  inviteByEmail,
  revokeInvitation,
  resendInvitation,
  getServerSettings,
  fetchApiKey,
  startLoginSession,
  logInDesktop,
  getDemoAccounts,
  logInToDemo,
  logOut,
  getOwnSessions,
  revokeOtherSessions,
  revokeSession,
  endUserSessions,
  getOwnFactors,
  startOwnTotp,
  confirmOwnTotp,
  disableOwnTotp,
  renewOwnCodes,
  resetUserFactors,
  beginLoginByPasskey,
  logInByPasskey,
  getOwnPasskeys,
  beginOwnPasskey,
  addOwnPasskey,
  renameOwnPasskey,
  removePasskey,
  registerQueue,
  getEvents,
  deleteQueue,
  createStreamTicket,
  sendMessage,
  getMessages,
  getMessage,
  getHistory,
  updateMessage,
  renderMessage,
  deleteMessage,
  reportMessage,
  addReaction,
  removeReaction,
  addSubmessage,
  matchNarrow,
  sendTyping,
  sendEditTyping,
  updateFlags,
  updateFlagsInNarrow,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  getReadReceipts,
  getUsers,
  getOwnUser,
  getAvatar,
  getMediumAvatar,
  markOnboardingStep,
  getUser,
  getUserByEmail,
  createUser,
  updateUser,
  updateUserByEmail,
  getBots,
  createBot,
  updateBot,
  deleteBot,
  getBotKey,
  regenerateBotKey,
  getBotStorage,
  updateBotStorage,
  removeBotStorage,
  regenerateOwnKey,
  setOwnProfile,
  emptyOwnProfile,
  getProfileFields,
  createProfileField,
  updateProfileField,
  deleteProfileField,
  reorderProfileFields,
  deactivateUser,
  reactivateUser,
  deactivateOwnUser,
  setOwnAvatar,
  removeOwnAvatar,
  getUserStatus,
  setStatus,
  setOwnStatus,
  reportPresence,
  getUserPresence,
  getAuditLog,
  getOrganizationPresence,
  updateSettings,
  updateNotificationSettings,
  updateDisplaySettings,
  getDrafts,
  createDrafts,
  updateDraft,
  deleteDraft,
  getScheduledMessages,
  scheduleMessage,
  updateScheduledMessage,
  deleteScheduledMessage,
  getReminders,
  createReminder,
  deleteReminder,
  getSnippets,
  createSnippet,
  updateSnippet,
  deleteSnippet,
  getViews,
  createView,
  updateView,
  deleteView,
  uploadFile,
  getTemporaryUrl,
  getThumbnailStatus,
  getAttachments,
  deleteAttachment,
  getAlertWords,
  addAlertWords,
  removeAlertWords,
  muteUser,
  unmuteUser,
  registerDevice,
  removeDevice,
  registerPush,
  sendE2eeTest,
  sendTest,
  addAndroidToken,
  removeAndroidToken,
  addApnsToken,
  removeApnsToken,
  updateOrganization,
  setIcon,
  removeIcon,
  getIcon,
  setLogo,
  removeLogo,
  getLogo,
  getCustomEmoji,
  addCustomEmoji,
  deactivateCustomEmoji,
  updateDefaultSettings,
  testWelcomeMessage,
  getLinkifiers,
  getFilters,
  createLinkifier,
  updateLinkifier,
  deleteLinkifier,
  reorderLinkifiers,
  createPlayground,
  deletePlayground,
  getDomains,
  createDomain,
  updateDomain,
  deleteDomain,
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
  changeSubscriptionProperty,
  muteTopic,
  setUserTopic,
  getTopics,
  deleteTopic,
  getUserGroups,
  createUserGroup,
  updateUserGroup,
  deactivateUserGroup,
  removeUserGroup,
  getGroupMembers,
  updateGroupMembers,
  getGroupMembership,
  getSubgroups,
  updateSubgroups,
]

/** Log-in as any user without a password. */
const DEVELOPMENT_OPERATIONS: readonly Operation[] = [fetchDevelopmentKey, listDevelopmentUsers]

/** The operations of a server; those for development only if its operator enables them. */
export function operationsOf(hasDevelopmentLogins: boolean): readonly Operation[] {
  return hasDevelopmentLogins ? [...OPERATIONS, ...DEVELOPMENT_OPERATIONS] : OPERATIONS
}
