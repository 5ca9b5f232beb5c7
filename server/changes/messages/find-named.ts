/** Finds the users, groups and channels that a text names. */

import type { MentionableGroup, MentionableUser } from '../../../workers/pool/markdown/snapshot.ts'
import type { readableHistory } from '../../../packages/rules/channels.ts'
import type { User, UserGroup } from '../../domain/entities.ts'
import { foldCase } from '../../../packages/rules/fold-case.ts'
import type { GroupId, UserId } from '../../domain/ids.ts'
import { SYSTEM_GROUPS, type SystemGroupName } from '../../domain/groups/system-groups.ts'
import type { ChannelState } from '../../state/channel-state.ts'
import type { OrganizationState } from '../../state/organization-state.ts'

/** Names of one kind that a text can have; further ones stay plain text. */
const NAMES_MAX = 300
/** The names of the system groups for readers. */
const DISPLAY_NAMES: Readonly<Record<SystemGroupName, string>> = {
  owners: 'Owners',
  administrators: 'Administrators',
  moderators: 'Moderators',
  fullMembers: 'Full members',
  members: 'Members',
  everyone: 'Everyone',
  internet: 'Everyone on the internet',
  nobody: 'Nobody',
}
const SYSTEM_DISPLAY_NAMES = new Map<GroupId, string>(
  Object.entries(DISPLAY_NAMES).map(([name, shown]) => [SYSTEM_GROUPS[name as SystemGroupName], shown]),
)

/** The author of a text, who limits its names. Everyone knows all groups. */
export interface Speaker {
  readonly isTranslatingEmoticons: boolean
  readonly knowsChannel: (channel: ChannelState) => boolean
  readonly knowsUser: (id: UserId) => boolean
  /** The part of the channel's history that links to topics may use. */
  readonly historyOf: (channel: ChannelState) => ReturnType<typeof readableHistory>
  /** The user whose subscriptions apply. */
  readonly userId: UserId
  readonly standingOf: (group: UserGroup) => MentionableGroup['standing']
}

/** The channels with these names that the author knows. The case of names does not matter. */
export function findNamedChannels(
  names: readonly string[],
  state: OrganizationState,
  { knowsChannel }: Speaker,
): Map<string, ChannelState> {
  const found = new Map<string, ChannelState>()
  for (const name of names.slice(0, NAMES_MAX)) {
    const channel = state.findChannelByName(name)
    if (channel && knowsChannel(channel)) found.set(foldCase(name), channel)
  }
  return found
}

/** The users with these names or ids. Among users with the same name active ones come first, then older ones. */
export function findNamedUsers(
  names: readonly string[],
  ids: readonly number[],
  { users }: OrganizationState,
  { knowsUser }: Speaker,
): MentionableUser[] {
  if (names.length === 0) return []
  const wanted = new Set(names.slice(0, NAMES_MAX).map(foldCase))
  // Folding keeps the length, so only names of the same length are folded.
  const lengths = new Set(Array.from(wanted, ({ length }) => length))
  const found = new Set<User>()
  for (const user of users.values()) {
    if (lengths.has(user.fullName.length) && wanted.has(foldCase(user.fullName))) found.add(user)
  }
  for (const id of ids.slice(0, NAMES_MAX)) {
    const user = users.get(id as UserId)
    if (user) found.add(user)
  }
  return [...found]
    .filter(({ id }) => knowsUser(id))
    .sort((a, b) => Number(b.isActive) - Number(a.isActive) || a.id - b.id)
    .map(({ id, fullName }) => ({ id, name: fullName }))
}

/** The groups with these names, and the author's rights to mention them. */
export function findNamedGroups(
  names: readonly string[],
  state: OrganizationState,
  { standingOf }: Speaker,
): MentionableGroup[] {
  if (names.length === 0) return []
  const wanted = new Set(names.slice(0, NAMES_MAX).map(foldCase))
  const found: MentionableGroup[] = []
  for (const { group } of state.groups.groups.values()) {
    const { id, name } = group
    if (!wanted.has(foldCase(name))) continue
    const displayName = SYSTEM_DISPLAY_NAMES.get(id)
    found.push({
      id,
      name,
      standing: standingOf(group),
      ...(displayName === undefined ? {} : { displayName }),
    })
  }
  return found
}
