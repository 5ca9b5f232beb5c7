/** A state in parts, each as text, to compare two states of the same position of the log. */

import { hash } from 'node:crypto'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { TRAFFIC_DAYS } from '../domain/messages/weekly-traffic.ts'
import type { OrganizationState } from './organization-state.ts'

/** Users and channels in one part: a part is written in one turn of the process, within some milliseconds. */
const USERS_EACH = 200
const CHANNELS_EACH = 10

/** The names of all parts. */
export function listParts({ users, channels }: OrganizationState): string[] {
  const blocks = (name: string, size: number, each: number) =>
    Array.from({ length: Math.ceil(size / each) }, (_, index) => `${name} ${1 + index * each}`)
  return [
    'organization',
    'names',
    'groups',
    ...blocks('users', users.size, USERS_EACH),
    ...blocks('channels', channels.size, CHANNELS_EACH),
  ]
}

/** A part as text: equal parts of two states have equal texts. `today` counts days from 1970 in UTC. */
export function writePart(state: OrganizationState, part: string, today: number): string {
  const [name = '', from = ''] = part.split(' ')
  const idsOf = (each: number) => Array.from({ length: each }, (_, index) => Number(from) + index)
  switch (name) {
    case 'organization':
      return write(organizationOf(state))
    case 'names':
      return write([state.userIdsByEmail, state.channelIdsByName])
    case 'groups':
      return write(groupsOf(state))
    case 'users':
      return write(idsOf(USERS_EACH).map((id) => userOf(state, id as UserId)))
    case 'channels':
      return write(idsOf(CHANNELS_EACH).map((id) => channelOf(state, id as ChannelId, today)))
    default:
      throw new Error(`a state has no part ${part}`)
  }
}

/** The hash of a part. */
export function digestPart(state: OrganizationState, part: string, today: number): string {
  return hash('sha256', writePart(state, part, today), 'base64url').slice(0, 22)
}

function organizationOf(state: OrganizationState): object {
  return {
    organization: state.organization,
    generation: state.generation,
    defaultChannelIds: state.defaultChannelIds,
    folders: state.folders,
    linkifiers: state.linkifiers,
    playgrounds: state.playgrounds,
    channelGroups: state.channelGroups,
    emailDomains: state.emailDomains,
    exports: state.exports,
    imports: state.imports,
    holds: state.holds,
    newUserSettings: state.newUserSettings,
    pictures: state.pictures,
    reachesPhones: state.reachesPhones,
    scimTokenHash: state.scimTokenHash,
    emoji: state.emoji,
    uploadSpaceUsed: state.uploadSpaceUsed,
    profileFields: state.profileFields,
    lastProfileFieldId: state.lastProfileFieldId,
  }
}

function groupsOf({ rights, bots, awaitingLogin, appUsers }: OrganizationState): object {
  const { activeUsers, activeMembers, activeAdministrators, activeOwners } = rights
  return {
    groups: rights.groups.groups,
    activeUsers,
    activeMembers,
    activeAdministrators,
    activeOwners,
    bots,
    awaitingLogin,
    appUsers,
  }
}

function userOf(state: OrganizationState, id: UserId): object {
  return {
    user: state.users.get(id),
    apiKeyHashes: state.apiKeyHashes.get(id) ?? [], // Users without a key may be left out.
    namedKeys: state.namedKeys.get(id),
    loginSessions: state.loginSessions.get(id),
    settings: state.userSettings.get(id),
    avatar: state.avatars.get(id),
    pictureSource: state.pictureSources.get(id),
    status: state.userStatuses.get(id),
    topics: state.userTopics.get(id),
    profile: state.profiles.get(id),
    muted: state.mutes.byMuter.get(id),
    muters: state.mutes.mutersOf.get(id),
    alertWords: state.alertIndex.words.get(id),
    partners: state.partners.get(id),
    botSetup: state.botSetups.get(id),
    seenDay: state.seenUsers.dayOf(id),
  }
}

function channelOf(state: OrganizationState, id: ChannelId, today: number): object | undefined {
  const channel = state.channels.get(id)
  if (!channel) return undefined
  const firstDay = today - TRAFFIC_DAYS + 1 // Earlier days are dropped only when the channel changes.
  const dailyCounts = [...channel.dailyCounts].filter(([day]) => day > firstDay)
  return { ...channel, dailyCounts: new Map(dailyCounts) }
}

/** JSON that does not depend on the order in which properties and entries were added. */
function write(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => {
    if (one instanceof UserSet) return one.encode()
    if (one instanceof Map) return [...one].sort(byFirst)
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return one
    return Object.fromEntries(Object.entries(one).sort(byFirst))
  })
}

function byFirst([a]: [unknown, unknown], [b]: [unknown, unknown]): number {
  return (a as number | string) < (b as number | string) ? -1 : 1
}
