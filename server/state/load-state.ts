/** Loads the organization into memory, as of one number of the log. */

import { loadAlertWords } from '../../db/personal/alert-words.ts'
import { loadBotSetups } from '../../db/organization/bot-setups.ts'
import { loadFolders } from '../../db/organization/channel-folders.ts'
import { loadChannels, loadDailyCounts } from '../../db/organization/channels.ts'
import { loadPins } from '../../db/organization/channel-pins.ts'
import type { Sql, Transaction } from '../../db/connection/connect.ts'
import { loadPartners } from '../../db/unread/conversations.ts'
import { loadCustomEmoji } from '../../db/organization/custom-emoji.ts'
import { readLastEventId } from '../../db/log/event-log.ts'
import { loadListOwners } from '../../db/personal/list-owners.ts'
import { loadLoginSessions } from '../../db/accounts/login-sessions.ts'
import { loadNamedKeys } from '../../db/accounts/named-keys.ts'
import { loadMutedUsers } from '../../db/personal/mutings.ts'
import { loadExports } from '../../db/organization/exports.ts'
import { loadHolds } from '../../db/holds/legal-holds.ts'
import { loadImports } from '../../db/imports/organization-imports.ts'
import { loadEmailDomains, loadLists } from '../../db/organization/organization-lists.ts'
import { findOrganization } from '../../db/organization/organization.ts'
import { loadProfileFields, loadProfileValues } from '../../db/organization/profile-fields.ts'
import { loadAppUsers } from '../../db/accounts/second-factors.ts'
import { loadSubscribers, loadSubscriptionSettings } from '../../db/organization/subscriptions.ts'
import { readSpaceUsed } from '../../db/files/uploads.ts'
import { loadUserGroups } from '../../db/organization/user-groups.ts'
import { loadUserStatuses } from '../../db/personal/user-statuses.ts'
import { loadUserTopics } from '../../db/personal/user-topics.ts'
import { loadUsers } from '../../db/accounts/users.ts'
import { GroupGraph } from '../domain/groups/group-graph.ts'
import { ORGANIZATION_SETTINGS_DEFAULTS } from '../domain/organization/organization-settings.ts'
import { bySessionAge } from '../domain/accounts/login-sessions.ts'
import { OWN_LISTS } from '../domain/personal/own-lists.ts'
import {
  CHANNEL_PERMISSIONS,
  completePermissions,
  ORGANIZATION_PERMISSIONS,
} from '../domain/groups/permissions.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { DAY_SECONDS, TRAFFIC_DAYS } from '../domain/messages/weekly-traffic.ts'
import { newChannelState } from './channel-state.ts'
import { OrganizationState } from './organization-state.ts'

/** Loads the state from the tables in one snapshot, so that it equals the log up to its `appliedId`. */
export async function loadState(sql: Sql): Promise<OrganizationState> {
  let state = new OrganizationState()
  await sql.begin('isolation level repeatable read read only', async (tx) => {
    state = await loadStateOf(tx)
  })
  return state
}

/** The same in the snapshot of a transaction. */
export async function loadStateOf(tx: Transaction): Promise<OrganizationState> {
  const state = new OrganizationState()
  state.appliedId = await readLastEventId(tx)
  await loadOrganization(tx, state)
  await loadPeople(tx, state)
  await loadProfiles(tx, state)
  await loadAllChannels(tx, state)
  state.emoji = await loadCustomEmoji(tx)
  state.uploadSpaceUsed = await readSpaceUsed(tx)
  for (const { botId, ...setup } of await loadBotSetups(tx)) state.botSetups.set(botId, setup)
  for (const [userId, partnerIds] of await loadPartners(tx)) {
    state.partners.set(userId, UserSet.of(partnerIds))
  }
  for (const { userId, ...status } of await loadUserStatuses(tx)) state.userStatuses.set(userId, status)
  for (const { userId, ...userTopic } of await loadUserTopics(tx)) state.placeUserTopic(userId, userTopic)
  await loadPersonalLists(tx, state)
  return state
}

async function loadOrganization(tx: Transaction, state: OrganizationState): Promise<void> {
  const stored = await findOrganization(tx)
  if (!stored) return
  const { newUserSettings, generation, pictures, reachesPhones, scimTokenHash, ...organization } = stored
  state.generation = generation ?? undefined
  state.newUserSettings = newUserSettings
  state.pictures = pictures
  state.reachesPhones = reachesPhones
  state.scimTokenHash = scimTokenHash
  state.organization = {
    ...organization,
    settings: { ...ORGANIZATION_SETTINGS_DEFAULTS, ...stored.settings },
    permissions: completePermissions(ORGANIZATION_PERMISSIONS, stored.permissions, null),
  }
  const { linkifiers, playgrounds, channelGroups } = await loadLists(tx)
  state.linkifiers = linkifiers
  state.playgrounds = playgrounds
  state.channelGroups = channelGroups
  state.emailDomains = await loadEmailDomains(tx)
  state.exports = await loadExports(tx)
  state.imports = await loadImports(tx)
  state.holds = await loadHolds(tx)
}

async function loadPeople(tx: Transaction, state: OrganizationState): Promise<void> {
  const users = await loadUsers(tx)
  for (const { apiKeyHashes, seenDay: _, settings, avatarId, pictureSource, awaitsLogin, ...user } of users) {
    state.placeUser(user)
    state.placeApiKeys(user.id, apiKeyHashes)
    if (awaitsLogin) state.awaitingLogin = state.awaitingLogin.with([user.id])
    if (Object.keys(settings).length > 0) state.placeUserSettings(user.id, settings)
    if (avatarId !== null) state.avatars.set(user.id, avatarId)
    if (pictureSource !== null) state.pictureSources.set(user.id, pictureSource)
  }
  for (const { userId, ...key } of await loadNamedKeys(tx))
    state.placeNamedKeys(userId, [...state.namedKeysOf(userId), key])
  for (const [userId, sessions] of Map.groupBy(await loadLoginSessions(tx), ({ userId }) => userId)) {
    const own = sessions.map(({ id, tokenHash, createdAt, isByPasskey }) => {
      const session = { id, tokenHash, createdAt }
      return isByPasskey ? { ...session, isByPasskey } : session
    })
    state.placeLoginSessions(userId, own.sort(bySessionAge))
  }
  state.appUsers = UserSet.of(await loadAppUsers(tx))
  const seen = Map.groupBy(users, ({ seenDay }) => seenDay ?? 0)
  for (const day of [...seen.keys()].sort((a, b) => a - b)) {
    if (day > 0)
      state.seenUsers.note(
        day,
        (seen.get(day) ?? []).map(({ id }) => id),
      )
  }
  const groups = (await loadUserGroups(tx)).map(({ memberIds, subgroupIds, ...group }) => {
    return [group.id, { group, directMembers: UserSet.of(memberIds), directSubgroups: subgroupIds }] as const
  })
  state.rights = state.rights.withGroups(new GroupGraph(new Map(groups)))
}

async function loadPersonalLists(tx: Transaction, state: OrganizationState): Promise<void> {
  const owners = await loadListOwners(tx)
  for (const list of OWN_LISTS) state.listOwners.add(list, owners[list])
  for (const { userId, words } of await loadAlertWords(tx)) state.alertIndex.place(userId, words)
  const byMuter = Map.groupBy(await loadMutedUsers(tx), ({ muterId }) => muterId)
  for (const [muterId, muted] of byMuter) {
    state.mutes.place(
      muterId,
      muted.map(({ userId, mutedAt }) => ({ userId, mutedAt })),
    )
  }
}

async function loadProfiles(tx: Transaction, state: OrganizationState): Promise<void> {
  const { fields, lastId } = await loadProfileFields(tx)
  state.profileFields = fields
  state.lastProfileFieldId = lastId
  for (const { userId, fieldId, value, rendered } of await loadProfileValues(tx)) {
    state.placeProfileValue(userId, fieldId, { value, ...(rendered === null ? {} : { rendered }) })
  }
}

async function loadAllChannels(tx: Transaction, state: OrganizationState): Promise<void> {
  state.folders = [...(await loadFolders(tx))] // Only the rows, without the driver's result metadata.
  const subscribers = new Map(
    (await loadSubscribers(tx)).map(({ channelId, userIds }) => [channelId, UserSet.of(userIds)]),
  )
  const pins = await loadPins(tx)
  const stored = await loadChannels(tx)
  for (const { firstMessageId, lastMessageAt, isDefault: _, ...channel } of stored) {
    const permissions = completePermissions(CHANNEL_PERMISSIONS, channel.permissions, null)
    state.placeChannel({
      ...newChannelState({ ...channel, permissions }),
      firstMessageId,
      lastMessageAt,
      subscribers: subscribers.get(channel.id) ?? UserSet.empty,
      pins: pins.get(channel.id) ?? [],
    })
  }
  state.defaultChannelIds = stored.filter(({ isDefault }) => isDefault).map(({ id }) => id)
  for (const { userId, channelId, settings } of await loadSubscriptionSettings(tx)) {
    state.placeSubscriptionSettings(channelId, userId, settings)
  }
  const since = Math.floor(Date.now() / 1000) - TRAFFIC_DAYS * DAY_SECONDS
  for (const { channelId, day, count } of await loadDailyCounts(tx, since)) {
    state.channelToChange(channelId).dailyCounts.set(day, count)
  }
}
