/** The organization in memory: the log applied so far, ready for lookups without a query. */

import { isTopicMuted, TOPIC_VISIBILITIES } from '../../packages/rules/topics.ts'
import { type BotSetup, PLAIN_BOT_SETUP } from '../domain/users/bots.ts'
import { AlertIndex } from '../domain/personal/alert-words.ts'
import { canReadChannel, canSeeChannel } from '../../packages/rules/channels.ts'
import { observersOf, readersOf } from '../domain/channels/channel-access.ts'
import type {
  ChannelFolder,
  Organization,
  SubscriptionSettings,
  TopicVisibility,
  User,
  UserTopic,
} from '../domain/entities.ts'
import {
  canSeeEmail,
  EMAIL_VISIBILITIES,
  type EmailVisibility,
  readStandInAddress,
  standInAddress,
} from '../domain/users/email-addresses.ts'
import type { CustomEmoji } from '../domain/organization/custom-emoji.ts'
import { foldCase } from '../../packages/rules/fold-case.ts'
import type { Generation } from '../domain/generation.ts'
import type { GroupGraph } from '../domain/groups/group-graph.ts'
import type {
  ChannelGroupId,
  ChannelId,
  EmailDomainId,
  EmojiId,
  EventId,
  ExportId,
  ImportId,
  FolderId,
  GroupId,
  LinkifierId,
  PlaygroundId,
  ProfileFieldId,
  UserId,
} from '../domain/ids.ts'
import type { LoginSession } from '../domain/accounts/login-sessions.ts'
import { byKeyAge, type NamedKey } from '../domain/accounts/named-keys.ts'
import type {
  ChannelGroup,
  EmailDomain,
  Linkifier,
  NumberedList,
  Playground,
} from '../domain/organization/organization-lists.ts'
import type { OrganizationExport } from '../domain/organization/exports.ts'
import type { OrganizationImport } from '../domain/organization/imports.ts'
import type { LegalHold } from '../domain/organization/legal-holds.ts'
import {
  ORGANIZATION_SETTINGS_DEFAULTS,
  type OrganizationSettings,
} from '../domain/organization/organization-settings.ts'
import {
  completePermissions,
  ORGANIZATION_PERMISSIONS,
  type OrganizationPermissions,
} from '../domain/groups/permissions.ts'
import type { PictureId, PictureSource } from '../domain/files/pictures.ts'
import type { Profile, ProfileField, ProfileValue } from '../domain/organization/profile-fields.ts'
import { Rights } from '../domain/users/rights.ts'
import { topicKey } from '../../packages/rules/topics.ts'
import { NO_PICTURES, type OrganizationPictures } from '../domain/organization/organization-pictures.ts'
import { USER_SETTINGS_DEFAULTS, type UserSettings } from '../domain/users/user-settings.ts'
import { UserSet } from '../domain/users/user-set.ts'
import { VISITOR_ID } from '../domain/users/visitor.ts'
import type { UserStatus } from '../domain/users/user-status.ts'
import { dayOf } from '../domain/messages/weekly-traffic.ts'
import { type ChannelState, copyChannelState } from './channel-state.ts'
import { ListOwners } from './list-owners.ts'
import { Mutes } from './mutes.ts'
import { mapOver, ownValue } from '../domain/overlay-map.ts'
import { SeenUsers } from './seen-users.ts'
import { UserVisibility } from './user-visibility.ts'
import { Watchers } from './watchers.ts'

const NO_NAMED_KEYS: readonly NamedKey[] = []
const hashOf = ({ keyHash }: NamedKey) => keyHash
const DEFAULT_PERMISSIONS = completePermissions(ORGANIZATION_PERMISSIONS, {}, null)

/** A disposable projection of the log through `appliedId`; only `applyEvent` changes it. */
export class OrganizationState {
  appliedId = 0 as EventId
  /** The last applied structural event: one that changed more than messages and users' marks on them. */
  structuralId = 0 as EventId
  organization: Organization | undefined
  /** The generation of the server that clients last got. */
  generation: Generation | undefined
  readonly users: Map<UserId, User>
  /** By address in lower case. */
  readonly userIdsByEmail: Map<string, UserId>
  readonly apiKeyHashes: Map<UserId, readonly string[]>
  /** Users without a named key have no entry; the oldest is first. */
  readonly namedKeys: Map<UserId, readonly NamedKey[]>
  /** The holder of each API key and named key, by its hash. */
  readonly keyHolders: Map<string, UserId>
  /** Users without a log-in session have no entry; the oldest is first. */
  readonly loginSessions: Map<UserId, readonly LoginSession[]>
  readonly channels: Map<ChannelId, ChannelState>
  /** By name in lower case. */
  readonly channelIdsByName: Map<string, ChannelId>
  /** Ascending. */
  defaultChannelIds: readonly ChannelId[] = []
  /** In matching order. */
  linkifiers: NumberedList<Linkifier> = { entries: [], lastId: 0 }
  playgrounds: NumberedList<Playground> = { entries: [], lastId: 0 }
  /** By name. */
  channelGroups: NumberedList<ChannelGroup> = { entries: [], lastId: 0 }
  /** By id. */
  emailDomains: readonly EmailDomain[] = []
  /** By id. */
  exports: readonly OrganizationExport[] = []
  imports: readonly OrganizationImport[] = []
  /** The legal holds that are not lifted, in the order of their ids. */
  holds: readonly LegalHold[] = []
  /** New users' settings that differ from the defaults. */
  newUserSettings: Partial<UserSettings> = {}
  pictures: OrganizationPictures = NO_PICTURES
  /** Whether the push relay serves the organization, by its last answer. */
  reachesPhones = false
  /** The hash of the token of the company's provider of identities; null while SCIM is off. */
  scimTokenHash: string | null = null
  /** In display order. */
  folders: readonly ChannelFolder[] = []
  /** By user, then by channel and topic; topics without settings are left out. */
  readonly userTopics: Map<UserId, Map<string, UserTopic>>
  /** Users' settings that differ from the defaults. */
  readonly userSettings: Map<UserId, Partial<UserSettings>>
  readonly userStatuses: Map<UserId, UserStatus>
  /** Avatars that users uploaded. */
  readonly avatars: Map<UserId, PictureId>
  /** Picture sources of users who joined after the organization chose one. */
  readonly pictureSources: Map<UserId, PictureSource>
  /** Custom emoji by id, deactivated ones included. */
  emoji: readonly CustomEmoji[] = []
  readonly mutes: Mutes
  /** All users' alert words. */
  readonly alertIndex: AlertIndex
  /** In display order. */
  profileFields: readonly ProfileField[] = []
  /** The highest id that a field ever had. */
  lastProfileFieldId = 0
  readonly profiles: Map<UserId, Profile>
  /** The host of stand-in addresses: the server's host, in lower case; not from the log. */
  emailHost = 'localhost'
  /** Signs the addresses of drawn pictures; not from the log. */
  pictureSecret: Buffer = Buffer.alloc(0)
  /** Whether users without a picture may get one of Gravatar; not from the log. */
  usesGravatar = false
  /** Whether there is a mail server: without one, nothing about messages waits to be mailed; not from the log. */
  canMail = false
  /** Whether viewers who cannot see all users only get the presence of users they can see; not from the log. */
  limitsPresence = false
  /** Users by role, and groups. */
  rights = Rights.initial
  readonly seenUsers: SeenUsers
  bots = UserSet.empty
  /** By user: everyone in a conversation with them that has messages, including themselves. */
  readonly partners: Map<UserId, UserSet>
  readonly listOwners: ListOwners
  readonly watchers: Watchers
  /** The users that each user can see. */
  readonly userVisibility: UserVisibility
  /** Bytes of all uploads together. */
  uploadSpaceUsed = 0
  /** Users who have never logged in to the account created for them. */
  awaitingLogin = UserSet.empty
  /** Users with an authenticator app. */
  appUsers = UserSet.empty
  /** Setups of bots that differ from the default. */
  readonly botSetups: Map<UserId, BotSetup>
  /** The cached answer of `usersOfInterest`, with its inputs. */
  #interest: Readonly<Record<'recent' | 'bots' | 'activeUsers' | 'users', UserSet>> | undefined

  /** An empty state, or an overlay that starts as a copy of its base and never changes it. */
  constructor(base?: OrganizationState) {
    Object.assign(this, base) // Values that are replaced, never changed in place; the others follow.
    this.users = mapOver(base?.users)
    this.userIdsByEmail = mapOver(base?.userIdsByEmail)
    this.apiKeyHashes = mapOver(base?.apiKeyHashes)
    this.namedKeys = mapOver(base?.namedKeys)
    this.keyHolders = mapOver(base?.keyHolders)
    this.loginSessions = mapOver(base?.loginSessions)
    this.channels = mapOver(base?.channels)
    this.channelIdsByName = mapOver(base?.channelIdsByName)
    this.userTopics = mapOver(base?.userTopics)
    this.userSettings = mapOver(base?.userSettings)
    this.userStatuses = mapOver(base?.userStatuses)
    this.avatars = mapOver(base?.avatars)
    this.pictureSources = mapOver(base?.pictureSources)
    this.profiles = mapOver(base?.profiles)
    this.partners = mapOver(base?.partners)
    this.botSetups = mapOver(base?.botSetups)
    this.mutes = new Mutes(base?.mutes)
    this.alertIndex = new AlertIndex(base?.alertIndex)
    this.seenUsers = new SeenUsers(base?.seenUsers)
    this.listOwners = new ListOwners(base?.listOwners)
    this.watchers = new Watchers(base?.watchers)
    this.userVisibility = new UserVisibility(this, base?.userVisibility)
  }

  placeLoginSessions(userId: UserId, sessions: readonly LoginSession[]): void {
    if (sessions.length === 0) this.loginSessions.delete(userId)
    else this.loginSessions.set(userId, sessions)
  }

  placeApiKeys(userId: UserId, hashes: readonly string[]): void {
    this.#placeHolder(userId, this.apiKeyHashes.get(userId) ?? [], hashes)
    this.apiKeyHashes.set(userId, hashes)
  }

  placeNamedKeys(userId: UserId, keys: readonly NamedKey[]): void {
    this.#placeHolder(userId, this.namedKeysOf(userId).map(hashOf), keys.map(hashOf))
    if (keys.length === 0) this.namedKeys.delete(userId)
    else this.namedKeys.set(userId, [...keys].sort(byKeyAge))
  }

  #placeHolder(userId: UserId, before: readonly string[], after: readonly string[]): void {
    for (const hash of before) this.keyHolders.delete(hash)
    for (const hash of after) this.keyHolders.set(hash, userId)
  }

  /** The named keys of a user, also those that are over and still stored. */
  namedKeysOf(userId: UserId): readonly NamedKey[] {
    return this.namedKeys.get(userId) ?? NO_NAMED_KEYS
  }

  /** The hashes of a user's API keys and session tokens; named keys make no tickets. */
  credentialHashesOf(userId: UserId): readonly string[] {
    const sessions = this.loginSessions.get(userId) ?? []
    return [...(this.apiKeyHashes.get(userId) ?? []), ...sessions.map(({ tokenHash }) => tokenHash)]
  }

  /** The next free id, exact under the log's guard: a decision on stale state does not commit. */
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

  get nextChannelGroupId(): ChannelGroupId {
    return (this.channelGroups.lastId + 1) as ChannelGroupId
  }

  get nextPlaygroundId(): PlaygroundId {
    return (this.playgrounds.lastId + 1) as PlaygroundId
  }

  /** Domains are identified by name: a later domain may reuse the id of a removed one. */
  get nextEmailDomainId(): EmailDomainId {
    return ((this.emailDomains.at(-1)?.id ?? 0) + 1) as EmailDomainId
  }

  get nextExportId(): ExportId {
    return ((this.exports.at(-1)?.id ?? 0) + 1) as ExportId
  }

  get nextImportId(): ImportId {
    return ((this.imports.at(-1)?.id ?? 0) + 1) as ImportId
  }

  get groups(): GroupGraph {
    return this.rights.groups
  }

  /** The number of the generation in registrations: without a restart, the time of the organization. */
  get generationNumber(): number {
    return this.generation?.number ?? this.organization?.createdAt ?? 0
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

  /** A channel to change in place: in an overlay, its own copy. */
  channelToChange(id: ChannelId): ChannelState {
    return ownValue(this.channels, id, copyChannelState) ?? this.getChannel(id)
  }

  findUserByEmail(email: string): User | undefined {
    const id = this.userIdsByEmail.get(foldCase(email))
    return id === undefined ? undefined : this.users.get(id)
  }

  /** Visibility of a user's real address; everyone sees a bot's. */
  emailVisibilityOf({ id, botType }: User): EmailVisibility {
    if (botType !== null) return EMAIL_VISIBILITIES.everyone
    return this.userSettings.get(id)?.emailAddressVisibility ?? USER_SETTINGS_DEFAULTS.emailAddressVisibility
  }

  /** A user's address as shown to everyone: the real one only if everyone may see it. */
  apiEmailOf(user: User): string {
    return this.emailVisibilityOf(user) === EMAIL_VISIBILITIES.everyone
      ? user.email
      : standInAddress(user.id, this.emailHost)
  }

  canSeeEmail(viewer: User, user: User): boolean {
    return canSeeEmail(viewer, user, this.emailVisibilityOf(user))
  }

  /** A user's address as shown to a viewer who may not be able to see the user, or who has no account. */
  apiEmailFor(viewerId: UserId, user: User): string {
    return viewerId !== VISITOR_ID && this.userVisibility.knows(viewerId, user.id)
      ? this.apiEmailOf(user)
      : standInAddress(user.id, this.emailHost)
  }

  /** A user whom the viewer can see, or undefined: absent and invisible users look alike. */
  findVisibleUser(viewer: User, id: UserId): User | undefined {
    const user = this.users.get(id)
    return user && this.userVisibility.knows(viewer.id, id) ? user : undefined
  }

  /** The user of an address that another user gives: a stand-in, or the real one if they may see it. */
  findUserByApiEmail(email: string, viewer: User): User | undefined {
    const id = readStandInAddress(email, this.emailHost)
    if (id !== undefined) return this.findVisibleUser(viewer, id)
    const user = this.findUserByEmail(email)
    return user && this.userVisibility.knows(viewer.id, user.id) && this.canSeeEmail(viewer, user)
      ? user
      : undefined
  }

  findChannelByName(name: string): ChannelState | undefined {
    const id = this.channelIdsByName.get(foldCase(name))
    return id === undefined ? undefined : this.channels.get(id)
  }

  /**
   * Active bots, and people seen in the last 14 days: partial lists must contain them. Returns the same set until they
   * change.
   */
  usersOfInterest(nowSeconds: number): UserSet {
    const { bots } = this
    const { activeUsers } = this.rights
    const recent = this.seenUsers.recent(dayOf(nowSeconds))
    const cached = this.#interest
    if (cached?.recent === recent && cached.bots === bots && cached.activeUsers === activeUsers)
      return cached.users
    const users = bots.union(recent).intersection(activeUsers)
    this.#interest = { recent, bots, activeUsers, users }
    return users
  }

  /** The server's own bot, if it has been created. */
  findSystemBot(): User | undefined {
    for (const user of this.users.values()) if (user.isSystem) return user
    return undefined
  }

  /** All users who may see a channel now. */
  observersOf(channel: ChannelState): UserSet {
    return observersOf(channel, this.rights)
  }

  /** All active users who may read a channel's messages now, subscribed or not. */
  readersOf(channel: ChannelState): UserSet {
    return readersOf(channel, this.rights, (id) => this.getUser(id))
  }

  /** The channels that a user is subscribed to, by id. */
  subscribedChannels(userId: UserId): ChannelState[] {
    return [...this.channels.values()].filter(({ subscribers }) => subscribers.has(userId))
  }

  /** The channels that a user may see, by id. */
  visibleChannels(user: User): ChannelState[] {
    return [...this.channels.values()].filter((channel) => canSeeChannel(user, channel, this.rights))
  }

  /** A channel that the user may see, or undefined: absent and forbidden channels look alike. */
  findVisibleChannel(user: User, id: ChannelId): ChannelState | undefined {
    const channel = this.channels.get(id)
    return channel && canSeeChannel(user, channel, this.rights) ? channel : undefined
  }

  /** A channel whose messages the user may read now, or undefined: absent and forbidden channels look alike. */
  findReadableChannel(user: User, id: ChannelId): ChannelState | undefined {
    const channel = this.channels.get(id)
    return channel && canReadChannel(user, channel, this.rights) ? channel : undefined
  }

  /** Updates the sets of users by role after `user` changed. */
  placeUser(user: User): void {
    const before = this.users.get(user.id)
    if (before) this.userIdsByEmail.delete(foldCase(before.email))
    this.users.set(user.id, user)
    this.userIdsByEmail.set(foldCase(user.email), user.id)
    this.rights = this.rights.withUser(user)
    if (user.botType !== null && !this.bots.has(user.id)) {
      this.bots = this.bots.with([user.id])
      this.userVisibility.introduce([user.id])
    }
    // A new user is of interest before their first request.
    if (this.seenUsers.dayOf(user.id) === undefined) this.seenUsers.note(dayOf(user.joinedAt), [user.id])
  }

  /** Drops users' values of removed fields. */
  placeProfileFields(fields: readonly ProfileField[]): void {
    const fieldIds = new Set(fields.map(({ id }) => id))
    for (const [userId, profile] of this.profiles) {
      for (const fieldId of profile.keys()) {
        if (!fieldIds.has(fieldId)) this.placeProfileValue(userId, fieldId, null)
      }
    }
    this.profileFields = fields
    this.lastProfileFieldId = Math.max(this.lastProfileFieldId, ...fieldIds)
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

  /** Records that some users have a conversation with messages: now they can see each other. */
  placeConversation(userIds: readonly UserId[]): void {
    for (const id of userIds) {
      const before = this.partners.get(id) ?? UserSet.empty
      if (userIds.every((one) => before.has(one))) continue
      this.partners.set(id, before.with(userIds))
      this.userVisibility.forget(UserSet.of([id]))
    }
  }

  /** A user's setting for a topic; 0 for none. */
  topicVisibility(userId: UserId, channelId: ChannelId, topic: string): TopicVisibility {
    return this.userTopics.get(userId)?.get(userTopicKey(channelId, topic))?.visibility ?? 0
  }

  /** Whether a user has muted a topic, or its channel without unmuting the topic. */
  isTopicMuted(userId: UserId, channelId: ChannelId, topic: string): boolean {
    const channel = this.channels.get(channelId)
    const isSubscribed = channel?.subscribers.has(userId) === true
    const isChannelMuted = isSubscribed && channel.settings.get(userId)?.isMuted === true
    return isTopicMuted(this.topicVisibility(userId, channelId, topic), isChannelMuted)
  }

  /** Replaces a user's settings that differ from the defaults. */
  placeUserSettings(userId: UserId, settings: Partial<UserSettings>): void {
    this.userSettings.set(userId, settings)
    this.watchers.placeSettings(userId, settings)
  }

  /** Replaces a subscriber's settings that differ from the defaults. */
  placeSubscriptionSettings(
    channelId: ChannelId,
    userId: UserId,
    settings: Partial<SubscriptionSettings>,
  ): void {
    this.channelToChange(channelId).settings.set(userId, settings)
    this.watchers.placeSubscription(channelId, userId, settings)
  }

  /** Users who follow a topic. */
  followersOf(channelId: ChannelId, topic: string): UserSet {
    return this.watchers.ofTopic(userTopicKey(channelId, topic))
  }

  placeUserTopic(userId: UserId, userTopic: UserTopic): void {
    const topics = ownValue(this.userTopics, userId, mapOver) ?? new Map<string, UserTopic>()
    const key = userTopicKey(userTopic.channelId, userTopic.topic)
    this.watchers.placeTopic(key, userId, userTopic.visibility === TOPIC_VISIBILITIES.followed)
    topics.delete(key) // The last change comes last.
    if (userTopic.visibility !== 0) topics.set(key, userTopic)
    if (topics.size > 0) this.userTopics.set(userId, topics)
    else this.userTopics.delete(userId)
  }
}

function userTopicKey(channelId: ChannelId, topic: string): string {
  return `${channelId}/${topicKey(topic)}`
}
