/** The organization in memory: what the log says so far, ready for lookups without a query. */

import { type BotSetup, PLAIN_BOT_SETUP } from '../domain/bots.ts'
import { AlertIndex } from '../domain/alert-words.ts'
import { canReadChannel, canSeeChannel, observersOf, readersOf } from '../domain/channel-access.ts'
import type { ChannelFolder, Organization, TopicVisibility, User, UserTopic } from '../domain/entities.ts'
import {
  canSeeEmail,
  EMAIL_VISIBILITIES,
  type EmailVisibility,
  readStandInAddress,
  standInAddress,
} from '../domain/email-addresses.ts'
import type { CustomEmoji } from '../domain/custom-emoji.ts'
import { foldCase } from '../domain/fold-case.ts'
import type { Generation } from '../domain/generation.ts'
import type { GroupGraph } from '../domain/group-graph.ts'
import type {
  ChannelId,
  EmailDomainId,
  EmojiId,
  EventId,
  FolderId,
  GroupId,
  LinkifierId,
  PlaygroundId,
  ProfileFieldId,
  UserId,
} from '../domain/ids.ts'
import type { EmailDomain, Linkifier, NumberedList, Playground } from '../domain/organization-lists.ts'
import { ORGANIZATION_SETTINGS_DEFAULTS, type OrganizationSettings } from '../domain/organization-settings.ts'
import {
  completePermissions,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermissions,
} from '../domain/permissions.ts'
import type { PictureId } from '../domain/pictures.ts'
import type { Profile, ProfileField, ProfileValue } from '../domain/profile-fields.ts'
import { Rights } from '../domain/rights.ts'
import { topicKey } from '../domain/topics.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettings } from '../domain/user-settings.ts'
import { UserSet } from '../domain/user-set.ts'
import type { UserStatus } from '../domain/user-status.ts'
import { dayOf } from '../domain/weekly-traffic.ts'
import { type ChannelState, copyChannelState } from './channel-state.ts'
import { ListOwners } from './list-owners.ts'
import { Mutes } from './mutes.ts'
import { mapOver, ownValue } from '../domain/overlay-map.ts'
import { SeenUsers } from './seen-users.ts'
import { UserSight } from './user-sight.ts'

const DEFAULT_PERMISSIONS = completePermissions(ORGANIZATION_PERMISSIONS, {}, null)

/** A disposable projection of the log up to and with `appliedId`; only `applyEvent` changes it. */
export class OrganizationState {
  appliedId = 0 as EventId
  /** The last event applied that changed more than messages and what users keep of them. */
  structuralId = 0 as EventId
  organization: Organization | undefined
  /** The run of the server that clients were last told of. */
  generation: Generation | undefined
  readonly users: Map<UserId, User>
  /** By lower-case address. */
  readonly userIdsByEmail: Map<string, UserId>
  readonly apiKeyHashes: Map<UserId, readonly string[]>
  readonly channels: Map<ChannelId, ChannelState>
  /** By lower-case name. */
  readonly channelIdsByName: Map<string, ChannelId>
  /** Ascending. */
  defaultChannelIds: readonly ChannelId[] = []
  /** In the order in which they are tried. */
  linkifiers: NumberedList<Linkifier> = { entries: [], lastId: 0 }
  playgrounds: NumberedList<Playground> = { entries: [], lastId: 0 }
  /** In the order of their ids. */
  emailDomains: readonly EmailDomain[] = []
  /** What newcomers start with otherwise than is usual. */
  newcomersSettings: Partial<UserSettings> = {}
  /** In their order. */
  folders: readonly ChannelFolder[] = []
  /** By user, then by channel and topic; what was never said of a topic is not there. */
  readonly userTopics: Map<UserId, Map<string, UserTopic>>
  /** What users set otherwise than is usual. */
  readonly userSettings: Map<UserId, Partial<UserSettings>>
  readonly userStatuses: Map<UserId, UserStatus>
  /** The avatars of those who chose one. */
  readonly avatars: Map<UserId, PictureId>
  /** The organization's own, deactivated ones included, by id. */
  emoji: readonly CustomEmoji[] = []
  readonly mutes: Mutes
  /** The words of which users are alerted. */
  readonly alertIndex: AlertIndex
  /** In their order. */
  profileFields: readonly ProfileField[] = []
  /** The highest id that a field ever had. */
  lastProfileFieldId = 0
  readonly profiles: Map<UserId, Profile>
  /** Where the addresses are that stand for hidden ones: the server's host, in lower case; not of the log. */
  emailHost = 'localhost'
  /** Whether those who do not know all users see the presence of those alone whom they know; not of the log. */
  limitsPresence = false
  /** Users by standing, and groups. */
  rights = Rights.initial
  readonly seenUsers: SeenUsers
  bots = UserSet.empty
  /** By user: everyone they share a conversation with in which somebody has written, themself included. */
  readonly partners: Map<UserId, UserSet>
  readonly listOwners: ListOwners
  /** Who knows whom. */
  readonly sight: UserSight
  /** Bytes of all uploads together. */
  uploadSpaceUsed = 0
  /** Those to whose accounts nobody has logged in yet. */
  awaitingLogin = UserSet.empty
  /** Of the bots of which anything was said. */
  readonly botSetups: Map<UserId, BotSetup>
  /** The answer of `usersOfInterest`, with what it was made of. */
  #interest: Readonly<Record<'recent' | 'bots' | 'activeUsers' | 'users', UserSet>> | undefined

  /** An empty state, or an overlay: it begins as its base is, and is changed without changing that. */
  constructor(base?: OrganizationState) {
    Object.assign(this, base) // All values that are replaced, not changed in place; the others follow.
    this.users = mapOver(base?.users)
    this.userIdsByEmail = mapOver(base?.userIdsByEmail)
    this.apiKeyHashes = mapOver(base?.apiKeyHashes)
    this.channels = mapOver(base?.channels)
    this.channelIdsByName = mapOver(base?.channelIdsByName)
    this.userTopics = mapOver(base?.userTopics)
    this.userSettings = mapOver(base?.userSettings)
    this.userStatuses = mapOver(base?.userStatuses)
    this.avatars = mapOver(base?.avatars)
    this.profiles = mapOver(base?.profiles)
    this.partners = mapOver(base?.partners)
    this.botSetups = mapOver(base?.botSetups)
    this.mutes = new Mutes(base?.mutes)
    this.alertIndex = new AlertIndex(base?.alertIndex)
    this.seenUsers = new SeenUsers(base?.seenUsers)
    this.listOwners = new ListOwners(base?.listOwners)
    this.sight = new UserSight(this, base?.sight)
  }

  /** The next free id, exact under the log's guard: a decision on old state does not commit. */
  get nextUserId(): UserId {
    return (this.users.size + 1) as UserId
  }

  get nextChannelId(): ChannelId {
    return (this.channels.size + 1) as ChannelId
  }

  get nextGroupId(): GroupId {
    return (this.groups.groups.size + 1) as GroupId
  }

  get nextFolderId(): FolderId {
    return (this.folders.length + 1) as FolderId
  }

  get nextEmojiId(): EmojiId {
    return (this.emoji.length + 1) as EmojiId
  }

  get nextProfileFieldId(): ProfileFieldId {
    return (this.lastProfileFieldId + 1) as ProfileFieldId
  }

  get nextLinkifierId(): LinkifierId {
    return (this.linkifiers.lastId + 1) as LinkifierId
  }

  get nextPlaygroundId(): PlaygroundId {
    return (this.playgrounds.lastId + 1) as PlaygroundId
  }

  /** A domain goes by its name: the id of one that is gone may be another's later. */
  get nextEmailDomainId(): EmailDomainId {
    return ((this.emailDomains.at(-1)?.id ?? 0) + 1) as EmailDomainId
  }

  get groups(): GroupGraph {
    return this.rights.groups
  }

  get settings(): OrganizationSettings {
    return this.organization?.settings ?? ORGANIZATION_SETTINGS_DEFAULTS
  }

  get permissions(): OrganizationPermissions {
    return this.organization?.permissions ?? DEFAULT_PERMISSIONS
  }

  settingsOf(id: UserId): UserSettings {
    const own = this.userSettings.get(id)
    return own ? { ...USER_SETTINGS_DEFAULTS, ...own } : USER_SETTINGS_DEFAULTS
  }

  getUser(id: UserId): User {
    const user = this.users.get(id)
    if (!user) throw new Error(`user ${id} is not in the state`)
    return user
  }

  botSetupOf(id: UserId): BotSetup {
    return this.botSetups.get(id) ?? PLAIN_BOT_SETUP
  }

  getChannel(id: ChannelId): ChannelState {
    const channel = this.channels.get(id)
    if (!channel) throw new Error(`channel ${id} is not in the state`)
    return channel
  }

  /** A channel that is changed in place: in an overlay a copy of its own. */
  channelToChange(id: ChannelId): ChannelState {
    return ownValue(this.channels, id, copyChannelState) ?? this.getChannel(id)
  }

  findUserByEmail(email: string): User | undefined {
    const id = this.userIdsByEmail.get(foldCase(email))
    return id === undefined ? undefined : this.users.get(id)
  }

  /** Who may see a user's real address; a bot's everyone. */
  emailVisibilityOf({ id, botType }: User): EmailVisibility {
    if (botType !== null) return EMAIL_VISIBILITIES.everyone
    return this.userSettings.get(id)?.emailAddressVisibility ?? USER_SETTINGS_DEFAULTS.emailAddressVisibility
  }

  /** The address by which everyone is told of a user: the real one only where nobody may not see it. */
  apiEmailOf(user: User): string {
    return this.emailVisibilityOf(user) === EMAIL_VISIBILITIES.everyone
      ? user.email
      : standInAddress(user.id, this.emailHost)
  }

  canSeeEmail(viewer: User, user: User): boolean {
    return canSeeEmail(viewer, user, this.emailVisibilityOf(user))
  }

  /** The same for somebody who may not know the user. */
  apiEmailFor(viewerId: UserId, user: User): string {
    return this.sight.knows(viewerId, user.id)
      ? this.apiEmailOf(user)
      : standInAddress(user.id, this.emailHost)
  }

  /** A user whom somebody knows, or undefined: absent and unknown look alike. */
  findKnownUser(viewer: User, id: UserId): User | undefined {
    const user = this.users.get(id)
    return user && this.sight.knows(viewer.id, id) ? user : undefined
  }

  /** The user of an address as somebody else gives it: one that stands for the user, or the real one if they may see that. */
  findUserByApiEmail(email: string, viewer: User): User | undefined {
    const id = readStandInAddress(email, this.emailHost)
    if (id !== undefined) return this.findKnownUser(viewer, id)
    const user = this.findUserByEmail(email)
    return user && this.sight.knows(viewer.id, user.id) && this.canSeeEmail(viewer, user) ? user : undefined
  }

  findChannelByName(name: string): ChannelState | undefined {
    const id = this.channelIdsByName.get(foldCase(name))
    return id === undefined ? undefined : this.channels.get(id)
  }

  /** Active bots, and people seen in the last 14 days: those whom partial lists must hold. The same set until they change. */
  usersOfInterest(nowSeconds: number): UserSet {
    const { bots } = this
    const { activeUsers } = this.rights
    const recent = this.seenUsers.recent(dayOf(nowSeconds))
    const known = this.#interest
    if (known?.recent === recent && known.bots === bots && known.activeUsers === activeUsers)
      return known.users
    const users = bots.union(recent).intersection(activeUsers)
    this.#interest = { recent, bots, activeUsers, users }
    return users
  }

  /** The server's own bot, once it was needed. */
  findSystemBot(): User | undefined {
    for (const user of this.users.values()) if (user.isSystem) return user
    return undefined
  }

  /** Everyone who may know of a channel now. */
  observersOf(channel: ChannelState): UserSet {
    return observersOf(channel, this.rights)
  }

  /** Everyone active who may read what is said in a channel now, subscribed or not. */
  readersOf(channel: ChannelState): UserSet {
    return readersOf(channel, this.rights, (id) => this.getUser(id))
  }

  /** The channels that a user is subscribed to, by id. */
  subscribedChannels(userId: UserId): ChannelState[] {
    return [...this.channels.values()].filter(({ subscribers }) => subscribers.has(userId))
  }

  /** The channels that a user may know of, by id. */
  visibleChannels(user: User): ChannelState[] {
    return [...this.channels.values()].filter((channel) => canSeeChannel(user, channel, this.rights))
  }

  /** A channel that the user may know of, or undefined: absent and forbidden look alike. */
  findVisibleChannel(user: User, id: ChannelId): ChannelState | undefined {
    const channel = this.channels.get(id)
    return channel && canSeeChannel(user, channel, this.rights) ? channel : undefined
  }

  /** A channel whose content the user may read now, or undefined: absent and forbidden look alike. */
  findReadableChannel(user: User, id: ChannelId): ChannelState | undefined {
    const channel = this.channels.get(id)
    return channel && canReadChannel(user, channel, this.rights) ? channel : undefined
  }

  /** Keeps the sets of users by standing true after `user` changed. */
  placeUser(user: User): void {
    const before = this.users.get(user.id)
    if (before) this.userIdsByEmail.delete(foldCase(before.email))
    this.users.set(user.id, user)
    this.userIdsByEmail.set(foldCase(user.email), user.id)
    this.rights = this.rights.withUser(user)
    if (user.botType !== null && !this.bots.has(user.id)) {
      this.bots = this.bots.with([user.id])
      this.sight.introduce([user.id])
    }
    // Who has just joined is of interest before their first request.
    if (this.seenUsers.dayOf(user.id) === undefined) this.seenUsers.note(dayOf(user.joinedAt), [user.id])
  }

  /** What users said in fields that are no more is gone. */
  placeProfileFields(fields: readonly ProfileField[]): void {
    const known = new Set(fields.map(({ id }) => id))
    for (const [userId, profile] of this.profiles) {
      for (const fieldId of profile.keys()) {
        if (!known.has(fieldId)) this.placeProfileValue(userId, fieldId, null)
      }
    }
    this.profileFields = fields
    this.lastProfileFieldId = Math.max(this.lastProfileFieldId, ...known)
  }

  placeProfileValue(userId: UserId, fieldId: ProfileFieldId, filled: ProfileValue | null): void {
    const profile = new Map(this.profiles.get(userId))
    if (filled) profile.set(fieldId, filled)
    else profile.delete(fieldId)
    if (profile.size > 0) this.profiles.set(userId, profile)
    else this.profiles.delete(userId)
  }

  placeChannel(channel: ChannelState): void {
    this.channels.set(channel.channel.id, channel)
    this.channelIdsByName.set(foldCase(channel.channel.name), channel.channel.id)
  }

  /** Some users have a conversation: from now on they know each other. */
  placeConversation(userIds: readonly UserId[]): void {
    for (const id of userIds) {
      const known = this.partners.get(id) ?? UserSet.empty
      if (userIds.every((one) => known.has(one))) continue
      this.partners.set(id, known.with(userIds))
      this.sight.forget(UserSet.of([id]))
    }
  }

  /** How a user wants a topic treated; 0 where nothing was said. */
  topicVisibility(userId: UserId, channelId: ChannelId, topic: string): TopicVisibility {
    return this.userTopics.get(userId)?.get(userTopicKey(channelId, topic))?.visibility ?? 0
  }

  /** Whether a user has muted a topic, or its channel and not this topic of it. */
  isTopicMuted(userId: UserId, channelId: ChannelId, topic: string): boolean {
    const visibility = this.topicVisibility(userId, channelId, topic)
    if (visibility !== 0) return visibility === MUTED
    const channel = this.channels.get(channelId)
    return channel?.subscribers.has(userId) === true && channel.settings.get(userId)?.isMuted === true
  }

  placeUserTopic(userId: UserId, userTopic: UserTopic): void {
    const topics = ownValue(this.userTopics, userId, mapOver) ?? new Map<string, UserTopic>()
    const key = userTopicKey(userTopic.channelId, userTopic.topic)
    topics.delete(key) // What was changed last stands last.
    if (userTopic.visibility !== 0) topics.set(key, userTopic)
    if (topics.size > 0) this.userTopics.set(userId, topics)
    else this.userTopics.delete(userId)
  }
}

/** The visibility of a topic that a user has muted. */
const MUTED = 1

function userTopicKey(channelId: ChannelId, topic: string): string {
  return `${channelId}/${topicKey(topic)}`
}
