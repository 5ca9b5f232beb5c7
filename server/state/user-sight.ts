/** Who knows whom, as the state is: of those who do not know everyone, found when first asked for. */

import type { ChannelAccess } from '../domain/channel-access.ts'
import type { GroupSetting } from '../domain/group-settings.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationPermissions } from '../domain/permissions.ts'
import type { Rights } from '../domain/rights.ts'
import { knownUsers, limitedViewers } from '../domain/user-access.ts'
import { UserSet } from '../domain/user-set.ts'

/** Of more who leave a channel together it is quicker to look anew at all whom those know who stay. */
export const LEAVERS_MAX = 20

/** What makes users known to each other. */
interface SightSource {
  readonly rights: Rights
  readonly permissions: OrganizationPermissions
  readonly channels: ReadonlyMap<ChannelId, ChannelAccess>
  readonly bots: UserSet
  readonly partners: ReadonlyMap<UserId, UserSet>
}

/** Where nobody is limited, every question is one look at an empty set. */
export class UserSight {
  readonly #source: SightSource
  #limited: { readonly rights: Rights; readonly setting: GroupSetting; readonly viewers: UserSet } | undefined
  /** By viewer, until something changes that makes users known. */
  readonly #known = new Map<UserId, UserSet>()

  constructor(source: SightSource) {
    this.#source = source
  }

  /** Those who do not know everyone. */
  get limited(): UserSet {
    const { rights, permissions } = this.#source
    const setting = permissions.canAccessAllUsers
    if (this.#limited?.rights !== rights || this.#limited.setting !== setting) {
      this.#limited = { rights, setting, viewers: limitedViewers(rights, setting) }
      this.#known.clear()
    }
    return this.#limited.viewers
  }

  /** Whom a user knows; undefined for everyone. */
  of(viewerId: UserId): UserSet | undefined {
    const { limited } = this
    if (limited.size === 0 || !limited.has(viewerId)) return undefined
    const known = this.#known.get(viewerId)
    if (known) return known
    const { channels, bots, partners } = this.#source
    const found = knownUsers(viewerId, {
      channels: channels.values(),
      bots,
      partners: partners.get(viewerId),
    })
    this.#known.set(viewerId, found)
    return found
  }

  knows(viewerId: UserId, userId: UserId): boolean {
    return this.of(viewerId)?.has(userId) ?? true
  }

  /** What makes users known to some has changed. */
  forget(viewers: UserSet): void {
    for (const viewerId of this.#known.keys()) if (viewers.has(viewerId)) this.#known.delete(viewerId)
  }

  /** Users come to where some others are; what they themselves come to know is found anew. */
  widen(viewers: UserSet, userIds: readonly UserId[]): void {
    for (const [viewerId, known] of this.#known) {
      if (userIds.includes(viewerId)) this.#known.delete(viewerId)
      else if (viewers.has(viewerId)) this.#known.set(viewerId, known.with(userIds))
    }
  }

  /** Users have gone from where some others are, who may know them from elsewhere still. */
  narrow(viewers: UserSet, userIds: readonly UserId[]): void {
    if (this.#known.size === 0) return
    for (const id of userIds) this.#known.delete(id)
    if (userIds.length > LEAVERS_MAX) return this.forget(viewers)
    const { channels, bots, partners } = this.#source
    for (const id of userIds) {
      if (bots.has(id)) continue
      // Whom they know, leaving bots aside, knows them.
      const knowing = knownUsers(id, {
        channels: channels.values(),
        bots: UserSet.empty,
        partners: partners.get(id),
      })
      for (const [viewerId, known] of this.#known) {
        if (viewers.has(viewerId) && !knowing.has(viewerId)) this.#known.set(viewerId, known.without([id]))
      }
    }
  }

  forgetAll(): void {
    this.#known.clear()
  }
}
