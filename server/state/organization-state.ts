/** The organization in memory: what the log says so far, ready for lookups without a query. */

import { canReadChannel, canSeeChannel, type ChannelAccess } from '../domain/channel-access.ts'
import { type Channel, type Organization, ROLES, type User } from '../domain/entities.ts'
import { foldCase } from '../domain/fold-case.ts'
import type { ChannelId, EventId, MessageId, UserId } from '../domain/ids.ts'
import { UserSet } from '../domain/user-set.ts'

/** A channel with what changes about it most. */
export interface ChannelState extends ChannelAccess {
  channel: Channel
  /** Immutable: a past event's audience keeps the set it had. */
  subscribers: UserSet
  firstMessageId: MessageId | null
  lastMessageAt: number | null
}

/** A disposable projection of the log up to and with `appliedId`; only `applyEvent` changes it. */
export class OrganizationState {
  appliedId = 0 as EventId
  organization: Organization | undefined
  readonly users = new Map<UserId, User>()
  /** By lower-case address. */
  readonly userIdsByEmail = new Map<string, UserId>()
  readonly apiKeyHashes = new Map<UserId, readonly string[]>()
  readonly channels = new Map<ChannelId, ChannelState>()
  /** By lower-case name. */
  readonly channelIdsByName = new Map<string, ChannelId>()
  /** Active people and bots. */
  activeUsers = UserSet.empty
  /** Active, and not a guest. */
  activeMembers = UserSet.empty
  /** Active owners and administrators. */
  activeAdministrators = UserSet.empty

  /** The next free id, exact under the log's guard: a decision on old state does not commit. */
  get nextUserId(): UserId {
    return (this.users.size + 1) as UserId
  }

  get nextChannelId(): ChannelId {
    return (this.channels.size + 1) as ChannelId
  }

  getUser(id: UserId): User {
    const user = this.users.get(id)
    if (!user) throw new Error(`user ${id} is not in the state`)
    return user
  }

  getChannel(id: ChannelId): ChannelState {
    const channel = this.channels.get(id)
    if (!channel) throw new Error(`channel ${id} is not in the state`)
    return channel
  }

  findUserByEmail(email: string): User | undefined {
    const id = this.userIdsByEmail.get(foldCase(email))
    return id === undefined ? undefined : this.users.get(id)
  }

  findChannelByName(name: string): ChannelState | undefined {
    const id = this.channelIdsByName.get(foldCase(name))
    return id === undefined ? undefined : this.channels.get(id)
  }

  /** Everyone who may know of a channel now. */
  observersOf(channel: ChannelState): UserSet {
    const others = channel.channel.isPrivate ? this.activeAdministrators : this.activeMembers
    return channel.subscribers.intersection(this.activeUsers).union(others)
  }

  /** The channels that a user is subscribed to, by id. */
  subscribedChannels(userId: UserId): ChannelState[] {
    return [...this.channels.values()].filter(({ subscribers }) => subscribers.has(userId))
  }

  /** The channels that a user may know of, by id. */
  visibleChannels(user: User): ChannelState[] {
    return [...this.channels.values()].filter((channel) => canSeeChannel(user, channel))
  }

  /** A channel whose content the user may read now, or undefined: absent and forbidden look alike. */
  findReadableChannel(user: User, id: ChannelId): ChannelState | undefined {
    const channel = this.channels.get(id)
    return channel && canReadChannel(user, channel) ? channel : undefined
  }

  /** Keeps the sets of users by standing true after `user` changed. */
  placeUser(user: User): void {
    this.users.set(user.id, user)
    this.userIdsByEmail.set(foldCase(user.email), user.id)
    const place = (set: UserSet, belongs: boolean) => (belongs ? set.with([user.id]) : set.without([user.id]))
    this.activeUsers = place(this.activeUsers, user.isActive)
    this.activeMembers = place(this.activeMembers, user.isActive && user.role !== ROLES.guest)
    this.activeAdministrators = place(
      this.activeAdministrators,
      user.isActive && user.role <= ROLES.administrator,
    )
  }

  placeChannel(channel: ChannelState): void {
    this.channels.set(channel.channel.id, channel)
    this.channelIdsByName.set(foldCase(channel.channel.name), channel.channel.id)
  }
}
