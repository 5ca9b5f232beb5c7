/**
 * Users whom messages may notify while they are away. A send looks only at these, however many users receive it: most want
 * nothing of a message that does not name them. The decision itself is `packages/rules/notifications.ts`.
 */

import type { SubscriptionSettings } from '../domain/entities.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import { mapOver } from '../domain/overlay-map.ts'
import { notificationSettingsOf } from '../domain/personal/notification-settings.ts'
import { UserSet } from '../domain/users/user-set.ts'
import type { UserSettings } from '../domain/users/user-settings.ts'

/**
 * Sets of users, which are immutable; each follows one kind of settings. The defaults of the other kinds are off, so that a
 * user without settings is in none of these.
 */
export class Watchers {
  /** Users who want neither an email nor a push about direct messages and mentions: by default everyone wants both. */
  unreached: UserSet
  /** Users who want one about all messages in channels. */
  channels: UserSet
  readonly #ofChannel: Map<ChannelId, UserSet>
  readonly #ofTopic: Map<string, UserSet>

  constructor(base?: Watchers) {
    this.unreached = base?.unreached ?? UserSet.empty
    this.channels = base?.channels ?? UserSet.empty
    this.#ofChannel = mapOver(base && base.#ofChannel)
    this.#ofTopic = mapOver(base && base.#ofTopic)
  }

  /** Users who want all messages of this channel. */
  ofChannel(channelId: ChannelId): UserSet {
    return this.#ofChannel.get(channelId) ?? UserSet.empty
  }

  /** Users who follow a topic. */
  ofTopic(key: string): UserSet {
    return this.#ofTopic.get(key) ?? UserSet.empty
  }

  /** Follows a user's settings, of which those that equal the defaults may be left out. */
  placeSettings(userId: UserId, settings: Partial<UserSettings>): void {
    const { personal, channels } = notificationSettingsOf(settings)
    this.unreached = placed(this.unreached, userId, !personal.mail && !personal.push)
    this.channels = placed(this.channels, userId, channels.mail || channels.push)
  }

  placeSubscription(channelId: ChannelId, userId: UserId, settings: Partial<SubscriptionSettings>): void {
    const isWatched = settings.emailNotifications === true || settings.pushNotifications === true
    place(this.#ofChannel, channelId, userId, isWatched)
  }

  placeTopic(key: string, userId: UserId, isFollowed: boolean): void {
    place(this.#ofTopic, key, userId, isFollowed)
  }
}

function place<Key>(sets: Map<Key, UserSet>, key: Key, userId: UserId, isIn: boolean): void {
  const before = sets.get(key) ?? UserSet.empty
  const after = placed(before, userId, isIn)
  if (after === before) return
  if (after.size > 0) sets.set(key, after)
  else sets.delete(key)
}

const placed = (users: UserSet, userId: UserId, isIn: boolean) =>
  isIn ? users.with([userId]) : users.without([userId])
