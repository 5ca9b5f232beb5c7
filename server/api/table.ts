/** The table of operations; routing, decoding, the reference and its tests derive from it. */

import type { Operation } from './operation.ts'
import { addAlertWords, getAlertWords, removeAlertWords } from './operations/alert-words.ts'
import { getBotStorage, removeBotStorage, updateBotStorage } from './operations/bot-storage.ts'
import { createBot, deleteBot, getBots, updateBot } from './operations/bots/bots.ts'
import { getBotKey, regenerateBotKey } from './operations/bots/bot-keys.ts'
import { getSigningSecret, regenerateSigningSecret } from './operations/bots/signing-secret.ts'
import { createCall, registerProvider } from './operations/calls.ts'
import { createMeeting } from './operations/meetings.ts'
import { createRoom } from './operations/rooms.ts'
import { deleteAttachment, getAttachments } from './operations/attachments.ts'
import {
  changeGroupChannels,
  createChannelGroup,
  removeChannelGroup,
  updateChannelGroup,
} from './operations/channels/channel-groups.ts'
import { addDefaultChannel, removeDefaultChannel } from './operations/channels/default-channels.ts'
import { archiveChannel, updateChannel } from './operations/channels/update-channel.ts'
import { createChannel } from './operations/channels/create-channel.ts'
import {
  getChannel,
  getChannelId,
  getChannelMembers,
  getChannels,
} from './operations/channels/get-channels.ts'
import { fetchDevelopmentKey, listDevelopmentUsers } from './operations/development.ts'
import { createDrafts, deleteDraft, getDrafts, updateDraft } from './operations/drafts.ts'
import { createStreamTicket } from './operations/events/create-ticket.ts'
import { deleteQueue } from './operations/events/delete-queue.ts'
import { getEvents } from './operations/events/get-events.ts'
import { registerQueue } from './operations/events/register-queue.ts'
import {
  getReadReceipts,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  updateFlags,
  updateFlagsInNarrow,
} from './operations/flags.ts'
import { createDomain, deleteDomain, getDomains, updateDomain } from './operations/domains.ts'
import { createInvitationLink } from './operations/invites/create-link.ts'
import {
  getInvitations,
  createPersonalLink,
  resendInvitation,
  revokeInvitation,
  revokeInvitationLink,
} from './operations/invites/get-invitations.ts'
import { getIntegrations } from './operations/integrations.ts'
import { inviteByEmail } from './operations/invites/invite-by-email.ts'
import {
  createLinkifier,
  deleteLinkifier,
  getFilters,
  getLinkifiers,
  reorderLinkifiers,
  updateLinkifier,
} from './operations/linkifiers.ts'
import { createPlayground, deletePlayground } from './operations/playgrounds.ts'
import { getChannelEmail } from './operations/channels/get-email-address.ts'
import { addPin, getPins, removePin } from './operations/channels/pins.ts'
import { createFolder, getFolders, reorderFolders, updateFolder } from './operations/folders.ts'
import { addCustomEmoji, deactivateCustomEmoji, getCustomEmoji } from './operations/emoji.ts'
import { addReaction, removeReaction } from './operations/messages/reactions.ts'
import { deleteMessage } from './operations/messages/delete-message.ts'
import { getHistory, getMessage } from './operations/messages/get-message.ts'
import { getMessages } from './operations/messages/get-messages.ts'
import { renderMessage } from './operations/messages/render-message.ts'
import { matchNarrow } from './operations/messages/match-narrow.ts'
import { reportMessage } from './operations/messages/report-message.ts'
import { sendMessage } from './operations/messages/send-message.ts'
import { updateMessage } from './operations/messages/update-message.ts'
import {
  createExport,
  deleteExport,
  getExportConsents,
  getExports,
} from './operations/organization/exports.ts'
import { createOwnExport, deleteOwnExport, getOwnExports } from './operations/users/own-exports.ts'
import {
  cancelImport,
  createImport,
  getImportReport,
  getImports,
  startImport,
  updateImport,
} from './operations/organization/imports.ts'
import { createHold, getHolds, liftHold } from './operations/organization/legal-holds.ts'
import { getAuditLog } from './operations/organization/get-audit-log.ts'
import { getUsage } from './operations/organization/get-usage.ts'
import { getOrganizationPresence } from './operations/organization/get-organization-presence.ts'
import {
  getIcon,
  getLogo,
  removeIcon,
  removeLogo,
  setIcon,
  setLogo,
} from './operations/organization/organization-pictures.ts'
import {
  testWelcomeMessage,
  updateDefaultSettings,
  updateOrganization,
} from './operations/organization/update-organization.ts'
import { muteUser, unmuteUser } from './operations/muted-users.ts'
import { createView, deleteView, getViews, updateView } from './operations/navigation-views.ts'
import {
  createProfileField,
  deleteProfileField,
  emptyOwnProfile,
  getProfileFields,
  reorderProfileFields,
  setOwnProfile,
  updateProfileField,
} from './operations/profile-fields.ts'
import { createReminder, deleteReminder, getReminders } from './operations/reminders.ts'
import {
  deleteScheduledMessage,
  getScheduledMessages,
  scheduleMessage,
  updateScheduledMessage,
} from './operations/scheduled-messages.ts'
import { createSnippet, deleteSnippet, getSnippets, updateSnippet } from './operations/saved-snippets.ts'
import {
  addAndroidToken,
  addApnsToken,
  removeAndroidToken,
  removeApnsToken,
} from './operations/push/tokens.ts'
import { registerDevice, registerPush, removeDevice } from './operations/push/devices.ts'
import { sendE2eeTest, sendTest } from './operations/push/tests.ts'
import { addWebPush, deleteWebPush, getWebPushes, testWebPush } from './operations/push/web-push.ts'
import { getMailResults, sendTestMail } from './operations/server/test-mail.ts'
import { getServerSettings } from './operations/server/get-server-settings.ts'
import {
  endUserSessions,
  getOwnSessions,
  logInDesktop,
  logOut,
  revokeOtherSessions,
  revokeSession,
  startLoginSession,
} from './operations/sessions.ts'
import {
  confirmOwnTotp,
  disableOwnTotp,
  getOwnFactors,
  renewOwnCodes,
  resetUserFactors,
  startOwnTotp,
} from './operations/second-factors.ts'
import {
  addOwnPasskey,
  beginLoginByPasskey,
  beginOwnPasskey,
  getOwnPasskeys,
  logInByPasskey,
  removePasskey,
  renameOwnPasskey,
} from './operations/passkeys.ts'
import { getDemoAccounts, logInToDemo } from './operations/demo.ts'
import { addSubmessage } from './operations/submessages.ts'
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
import { deleteTopic, getTopics, setUserTopic } from './operations/topics.ts'
import { sendEditTyping, sendTyping } from './operations/typing.ts'
import { createUserGroup } from './operations/user-groups/create-user-group.ts'
import { deactivateUserGroup, removeUserGroup } from './operations/user-groups/deactivate-user-group.ts'
import {
  getGroupMembers,
  getGroupMembership,
  getSubgroups,
  getUserGroups,
} from './operations/user-groups/get-groups.ts'
import { updateGroupMembers, updateSubgroups } from './operations/user-groups/members.ts'
import { updateUserGroup } from './operations/user-groups/update-user-group.ts'
import {
  createUser,
  deactivateOwnUser,
  deactivateUser,
  reactivateUser,
  updateUser,
  updateUserByEmail,
} from './operations/users/accounts.ts'
import { fetchApiKey, regenerateOwnKey } from './operations/users/api-keys.ts'
import { getAvatar, getMediumAvatar, removeOwnAvatar, setOwnAvatar } from './operations/users/avatars.ts'
import { getOwnUser, getUser, getUserByEmail, getUsers } from './operations/users/get-users.ts'
import {
  createKeyOfBot,
  createOwnKey,
  getBotKeys,
  getOwnKeys,
  revokeKeyOfBot,
  revokeOwnKey,
} from './operations/users/named-keys.ts'
import { markOnboardingStep } from './operations/users/mark-onboarding-step.ts'
import {
  updateDisplaySettings,
  updateNotificationSettings,
  updateSettings,
} from './operations/users/settings.ts'
import { getUserPresence, reportPresence } from './operations/users/presence.ts'
import { getUserStatus, setOwnStatus, setStatus } from './operations/users/statuses.ts'
import { getTemporaryUrl, getThumbnailStatus, uploadFile } from './operations/uploads.ts'
import { receiveWebhook } from './operations/webhooks.ts'
export const OPERATIONS: readonly Operation[] = [
  createCall,
  registerProvider,
  createMeeting,
  createRoom,
  getInvitations,
  createInvitationLink,
  revokeInvitationLink,
  inviteByEmail,
  revokeInvitation,
  createPersonalLink,
  resendInvitation,
  getServerSettings,
  getMailResults,
  sendTestMail,
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
  getSigningSecret,
  regenerateSigningSecret,
  getBotStorage,
  updateBotStorage,
  removeBotStorage,
  regenerateOwnKey,
  getOwnKeys,
  createOwnKey,
  revokeOwnKey,
  getBotKeys,
  createKeyOfBot,
  revokeKeyOfBot,
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
  getUsage,
  getExports,
  createExport,
  deleteExport,
  getExportConsents,
  getOwnExports,
  createOwnExport,
  deleteOwnExport,
  getImports,
  createImport,
  startImport,
  updateImport,
  cancelImport,
  getImportReport,
  getHolds,
  createHold,
  liftHold,
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
  receiveWebhook,
  getIntegrations,
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
  getWebPushes,
  addWebPush,
  deleteWebPush,
  testWebPush,
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
  getChannelEmail,
  updateChannel,
  archiveChannel,
  addDefaultChannel,
  removeDefaultChannel,
  createChannelGroup,
  updateChannelGroup,
  changeGroupChannels,
  removeChannelGroup,
  getFolders,
  getPins,
  addPin,
  removePin,
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
