/** A state as plain values, for complete comparison. */

import { DAY_SECONDS, TRAFFIC_DAYS } from '../../server/domain/weekly-traffic.ts'
import type { OrganizationState } from '../../server/state/organization-state.ts'

/** A whole state, with sets as sorted lists. */
export function describeState(state: OrganizationState): Record<string, unknown> {
  const { rights } = state
  const firstDay = Math.floor(Date.now() / 1000 / DAY_SECONDS) - TRAFFIC_DAYS + 1
  return {
    appliedId: state.appliedId,
    organization: state.organization,
    generation: state.generation,
    users: [...state.users.values()],
    userIdsByEmail: Object.fromEntries(state.userIdsByEmail),
    apiKeyHashes: byId(state.apiKeyHashes),
    userSettings: byId(state.userSettings),
    channels: byId(state.channels).map(([, channel]) => ({
      ...channel,
      subscribers: channel.subscribers.toArray(),
      dailyCounts: byId(channel.dailyCounts).filter(([day]) => day > firstDay),
      settings: byId(channel.settings),
    })),
    channelIdsByName: Object.fromEntries(state.channelIdsByName),
    defaultChannelIds: state.defaultChannelIds,
    folders: state.folders,
    linkifiers: state.linkifiers,
    playgrounds: state.playgrounds,
    emailDomains: state.emailDomains,
    newcomersSettings: state.newcomersSettings,
    userTopics: byId(state.userTopics).map(([userId, topics]) => [
      userId,
      [...topics.values()].sort((a, b) =>
        `${a.channelId}/${a.topic}` < `${b.channelId}/${b.topic}` ? -1 : 1,
      ),
    ]),
    userStatuses: byId(state.userStatuses),
    mutedUsers: byId(state.mutes.byMuter),
    mutersOf: byId(state.mutes.mutersOf).map(([userId, muters]) => [userId, muters.toArray()]),
    alertWords: byId(state.alertIndex.words),
    avatars: byId(state.avatars),
    emoji: state.emoji,
    uploadSpaceUsed: state.uploadSpaceUsed,
    profileFields: state.profileFields,
    lastProfileFieldId: state.lastProfileFieldId,
    profiles: byId(state.profiles).map(([userId, profile]) => [userId, byId(profile)]),
    groups: byId(rights.groups.groups).map(([, group]) => ({
      ...group,
      directMembers: group.directMembers.toArray(),
    })),
    activeUsers: rights.activeUsers.toArray(),
    activeMembers: rights.activeMembers.toArray(),
    activeAdministrators: rights.activeAdministrators.toArray(),
    bots: state.bots.toArray(),
    partners: byId(state.partners).map(([userId, known]) => [userId, known.toArray()]),
    botSetups: byId(state.botSetups),
    awaitingLogin: state.awaitingLogin.toArray(),
    seenDays: [...state.users.keys()].map((id) => state.seenUsers.dayOf(id)),
  }
}

function byId<Id extends number, Value>(map: ReadonlyMap<Id, Value>): [Id, Value][] {
  return [...map].sort(([a], [b]) => a - b)
}
