/** A state as plain values, so that two can be compared whole. */

import type { OrganizationState } from '../../server/state/organization-state.ts'

/** Everything in a state, with sets as sorted lists. */
export function describeState(state: OrganizationState): Record<string, unknown> {
  return {
    appliedId: state.appliedId,
    organization: state.organization,
    users: [...state.users.values()],
    userIdsByEmail: Object.fromEntries(state.userIdsByEmail),
    apiKeyHashes: [...state.apiKeyHashes].sort(([a], [b]) => a - b),
    channels: [...state.channels.values()].map((channel) => ({
      ...channel,
      subscribers: channel.subscribers.toArray(),
    })),
    channelIdsByName: Object.fromEntries(state.channelIdsByName),
    activeUsers: state.activeUsers.toArray(),
    activeMembers: state.activeMembers.toArray(),
    activeAdministrators: state.activeAdministrators.toArray(),
  }
}
