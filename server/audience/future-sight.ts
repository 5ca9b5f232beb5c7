/** Who will know whom once some events are applied: what only they change is looked at, and only for whom they may. */

import type { ChannelAccess } from '../domain/channel-access.ts'
import type { User } from '../domain/entities.ts'
import type { LogEvent } from '../domain/events.ts'
import type { GroupSetting } from '../domain/group-settings.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { Rights } from '../domain/rights.ts'
import { SYSTEM_GROUPS } from '../domain/system-groups.ts'
import { knownUsers, limitedViewers } from '../domain/user-access.ts'
import { UserSet } from '../domain/user-set.ts'
import type { OrganizationState } from '../state/organization-state.ts'
import { LEAVERS_MAX } from '../state/user-sight.ts'

/** Whether events may leave or make somebody who does not know everyone: where not, nothing here matters. */
export function concernsSight(
  { sight, permissions }: OrganizationState,
  events: readonly LogEvent[],
): boolean {
  if (sight.limited.size > 0) return true
  const isOpen = permissions.canAccessAllUsers === SYSTEM_GROUPS.everyone
  return events.some(({ type }) =>
    isOpen ? type === 'realm/update_dict' : type.startsWith('realm') || type.startsWith('user_group'),
  )
}

/** Users who come to where some others are, or go from there. */
interface Move {
  readonly viewers: UserSet
  readonly users: UserSet
}

/** The state's sight after some events; the state itself stays as it is. */
export class FutureSight {
  readonly #state: OrganizationState
  readonly #channels = new Map<ChannelId, ChannelAccess>()
  /** All that are not archived afterwards, once they are asked for. */
  #openChannels: readonly ChannelAccess[] | undefined
  readonly #users = new Map<UserId, User>()
  readonly #partners = new Map<UserId, UserSet>()
  readonly #known = new Map<UserId, UserSet>()
  /** Those who come to be. */
  newcomers = UserSet.empty
  #rights: Rights
  #setting: GroupSetting
  #bots: UserSet
  /** Those for whom more changes than that others come to where they are. */
  #touched = UserSet.empty
  /** Users who come to where some are: these only have to be told of them, however many they are. */
  readonly #arrivals: Move[] = []
  /** Those who do not know everyone. */
  readonly limited: UserSet

  /** Users who go from where some are, who may know them from elsewhere still. */
  readonly #departures: Move[] = []
  /** By such a user: who still knows them, once it is asked for. */
  readonly #knowing = new Map<UserId, UserSet>()

  constructor(state: OrganizationState, events: readonly LogEvent[]) {
    this.#state = state
    this.#rights = state.rights
    this.#setting = state.permissions.canAccessAllUsers
    this.#bots = state.bots
    for (const event of events) this.#fold(event)
    const isAsBefore = this.#rights === state.rights && this.#setting === state.permissions.canAccessAllUsers
    this.limited = isAsBefore ? state.sight.limited : limitedViewers(this.#rights, this.#setting)
  }

  /** Those who may come to know somebody, or no longer know somebody; who only comes or goes is told nothing. */
  get changing(): UserSet {
    const before = this.#state.sight.limited
    const moves = [...this.#arrivals, ...this.#departures]
    const concerned = UserSet.unionOf([this.#touched, ...moves.map(({ viewers }) => viewers)])
    if (before === this.limited && concerned.size === 0) return UserSet.empty
    const others = before.difference(this.limited).union(this.limited.difference(before))
    return concerned
      .intersection(before.union(this.limited))
      .union(others)
      .intersection(this.#state.rights.activeUsers)
      .intersection(this.#rights.activeUsers)
  }

  /** Whom a user will know; undefined for everyone. */
  of(viewerId: UserId): UserSet | undefined {
    if (!this.limited.has(viewerId)) return undefined
    let known = this.#known.get(viewerId)
    if (!known) this.#known.set(viewerId, (known = this.#find(viewerId)))
    return known
  }

  #find(viewerId: UserId): UserSet {
    const { sight, partners } = this.#state
    const known = this.#touched.has(viewerId) ? undefined : sight.of(viewerId)
    if (!known)
      return this.#look(viewerId, this.#bots, this.#partners.get(viewerId) ?? partners.get(viewerId))
    const others = (moves: readonly Move[]) =>
      moves.filter(({ viewers }) => viewers.has(viewerId)).map(({ users }) => users)
    const gone = others(this.#departures).flatMap((users) =>
      users.toArray().filter((id) => !this.#isStillKnown(id, viewerId)),
    )
    // The last: somebody may come and go at once.
    return UserSet.unionOf([known, this.#bots, ...others(this.#arrivals)]).without(gone)
  }

  #isStillKnown(id: UserId, viewerId: UserId): boolean {
    if (this.#bots.has(id)) return true
    let knowing = this.#knowing.get(id)
    if (!knowing) {
      // Whom they know, leaving bots aside, knows them.
      knowing = this.#look(id, UserSet.empty, this.#partners.get(id) ?? this.#state.partners.get(id))
      this.#knowing.set(id, knowing)
    }
    return knowing.has(viewerId)
  }

  #look(id: UserId, bots: UserSet, partners: UserSet | undefined): UserSet {
    return knownUsers(id, { channels: (this.#openChannels ??= this.#listOpenChannels()), bots, partners })
  }

  #listOpenChannels(): ChannelAccess[] {
    const all = new Map<ChannelId, ChannelAccess>([...this.#state.channels, ...this.#channels])
    return [...all.values()].filter(({ channel }) => !channel.isArchived)
  }

  #fold(event: LogEvent): void {
    switch (event.type) {
      case 'message':
        if (event.userIds !== null) this.#acquaint(event.userIds)
        return
      case 'stream/create':
        for (const channel of event.isNew ? event.channels : []) {
          this.#channels.set(channel.id, { channel, subscribers: UserSet.empty })
        }
        return
      case 'stream/update': {
        if (event.change.kind !== 'archived' || event.isSightOnly) return
        const { channel, subscribers } = this.#channel(event.channelId)
        const { isArchived } = event.change
        this.#channels.set(channel.id, { channel: { ...channel, isArchived }, subscribers })
        this.#touched = this.#touched.union(subscribers)
        return
      }
      case 'subscription/add':
        for (const { id } of event.channels) this.#subscribe(id, event.userIds)
        return
      case 'subscription/remove':
        for (const id of event.channelIds) this.#unsubscribe(id, event.userIds)
        return
      case 'realm_user/add':
        this.newcomers = this.newcomers.with([event.user.id])
        if (event.user.botType !== null) this.#bots = this.#bots.with([event.user.id])
        this.#placeUser(event.user)
        return
      case 'realm_user/update':
        this.#placeUser({
          ...(this.#users.get(event.userId) ?? this.#state.getUser(event.userId)),
          ...event.changes,
        })
        return
      case 'user_group/add_members':
      case 'user_group/remove_members': {
        const { groups } = this.#rights
        if (event.isHidden || !groups.groups.has(event.groupId)) return
        const isAdding = event.type === 'user_group/add_members'
        this.#rights = this.#rights.withGroups(groups.withMembers(event.groupId, event.userIds, isAdding))
        return
      }
      case 'realm/update_dict':
        this.#setting = event.changes.permissions?.canAccessAllUsers ?? this.#setting
        return
      default:
    }
  }

  #placeUser(user: User): void {
    this.#users.set(user.id, user)
    this.#rights = this.#rights.withUser(user)
  }

  #channel(id: ChannelId): ChannelAccess {
    return this.#channels.get(id) ?? this.#state.getChannel(id)
  }

  #subscribe(id: ChannelId, userIds: readonly UserId[]): void {
    const { channel, subscribers } = this.#channel(id)
    const users = UserSet.of(userIds).difference(subscribers)
    if (users.size === 0) return
    this.#channels.set(id, { channel, subscribers: subscribers.union(users) })
    if (channel.isArchived) return
    this.#touched = this.#touched.union(users)
    if (subscribers.size > 0) this.#arrivals.push({ viewers: subscribers, users })
  }

  #unsubscribe(id: ChannelId, userIds: readonly UserId[]): void {
    const { channel, subscribers } = this.#channel(id)
    const left = subscribers.without(userIds)
    if (left === subscribers) return
    this.#channels.set(id, { channel, subscribers: left })
    if (channel.isArchived) return
    const users = subscribers.difference(left)
    const isMany = users.size > LEAVERS_MAX
    this.#touched = this.#touched.union(isMany ? subscribers : users)
    if (!isMany && left.size > 0) this.#departures.push({ viewers: left, users })
  }

  #acquaint(userIds: readonly UserId[]): void {
    for (const id of userIds) {
      const known = this.#partners.get(id) ?? this.#state.partners.get(id) ?? UserSet.empty
      if (userIds.every((one) => known.has(one))) continue
      this.#partners.set(id, known.with(userIds))
      this.#touched = this.#touched.with([id])
    }
  }
}
