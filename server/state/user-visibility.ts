/** User visibility: which users each limited viewer can see, computed on first use. */

import type { ChannelAccess } from '../domain/channels/channel-access.ts'
import type { GroupSetting } from '../domain/groups/group-settings.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationPermissions } from '../domain/groups/permissions.ts'
import type { Rights } from '../domain/users/rights.ts'
import { visibleUsers, limitedViewers } from '../domain/users/user-access.ts'
import { UserSet } from '../domain/users/user-set.ts'

/** If more users leave a channel together, recomputing the remaining viewers is faster. */
const LEAVERS_MAX = 20

/** The parts of the state that make users visible to each other. */
interface VisibilitySource {
  readonly rights: Rights
  readonly permissions: OrganizationPermissions
  readonly channels: ReadonlyMap<ChannelId, ChannelAccess>
  readonly bots: UserSet
  readonly partners: ReadonlyMap<UserId, UserSet>
}

/** While nobody is limited, every question is one lookup in an empty set. */
export class UserVisibility {
  readonly #source: VisibilitySource
  /** The visibility before the changes of an overlay. */
  readonly #base: UserVisibility | undefined
  #limited: { readonly rights: Rights; readonly setting: GroupSetting; readonly viewers: UserSet } | undefined
  /** By viewer, until a change affects the viewer; undefined in an overlay: to be recomputed. */
  readonly #cached = new Map<UserId, UserSet | undefined>()
  /** Viewers of an overlay who may see other users than in its base. */
  #affected = UserSet.empty

  constructor(source: VisibilitySource, base?: UserVisibility) {
    this.#source = source
    this.#base = base
    if (base) this.#limited = base.#limited
  }

  /** Users who cannot see everyone. */
  get limited(): UserSet {
    const { rights, permissions } = this.#source
    const setting = permissions.canAccessAllUsers
    if (this.#limited?.rights !== rights || this.#limited.setting !== setting) {
      const viewers = limitedViewers(rights, setting)
      this.#limited = { rights, setting, viewers }
      for (const id of this.#cached.keys()) if (!viewers.has(id)) this.#drop(id)
    }
    return this.#limited.viewers
  }

  /** Viewers of an overlay who may see other users than in its base; callers compare each. */
  get changing(): UserSet {
    const before = this.#base?.limited ?? UserSet.empty
    const after = this.limited
    if (this.#affected.size === 0 && before === after) return UserSet.empty
    return this.#affected
      .intersection(before.union(after))
      .union(before.difference(after))
      .union(after.difference(before))
  }

  /** The users that a viewer can see; undefined for all users. */
  of(viewerId: UserId): UserSet | undefined {
    const { limited } = this
    if (limited.size === 0 || !limited.has(viewerId)) return undefined
    const known = this.#find(viewerId)
    if (known) return known
    const { channels, bots, partners } = this.#source
    const found = visibleUsers(viewerId, {
      channels: channels.values(),
      bots,
      partners: partners.get(viewerId),
    })
    this.#cached.set(viewerId, found)
    return found
  }

  knows(viewerId: UserId, userId: UserId): boolean {
    return this.of(viewerId)?.has(userId) ?? true
  }

  /** Drops the cached visibility for some viewers. */
  forget(viewers: UserSet): void {
    this.#affect(viewers).forEach((id) => this.#drop(id))
  }

  /** Users arrive where some viewers are. The users that arriving users see are recomputed. */
  widen(viewers: UserSet, userIds: readonly UserId[]): void {
    const joining = this.#affect(UserSet.of(userIds))
    this.#affect(viewers).forEach((id) => {
      const known = this.#find(id)
      if (known) this.#cached.set(id, known.with(userIds))
    })
    joining.forEach((id) => this.#drop(id))
  }

  /** Users leave where some viewers are, who may still see them elsewhere. */
  narrow(viewers: UserSet, userIds: readonly UserId[]): void {
    const leaving = this.#affect(UserSet.of(userIds))
    const staying = this.#affect(viewers)
    leaving.forEach((id) => this.#drop(id))
    if (userIds.length > LEAVERS_MAX) return staying.forEach((id) => this.#drop(id))
    if (staying.size === 0) return
    const { channels, bots, partners } = this.#source
    for (const id of userIds) {
      if (bots.has(id)) continue
      // Apart from bots, visibility is mutual.
      const visible = visibleUsers(id, {
        channels: channels.values(),
        bots: UserSet.empty,
        partners: partners.get(id),
      })
      staying.difference(visible).forEach((viewerId) => {
        const known = this.#find(viewerId)
        if (known) this.#cached.set(viewerId, known.without([id]))
      })
    }
  }

  /** Makes users visible to everyone; clients get them as new users. */
  introduce(userIds: readonly UserId[]): void {
    this.limited.forEach((id) => {
      const known = this.#find(id)
      if (known) this.#cached.set(id, known.with(userIds))
    })
  }

  /** The cached visibility for a viewer, also from an overlay's base. */
  #find(viewerId: UserId): UserSet | undefined {
    if (this.#cached.has(viewerId)) return this.#cached.get(viewerId)
    return this.#base?.of(viewerId)
  }

  #drop(viewerId: UserId): void {
    if (this.#base) this.#cached.set(viewerId, undefined)
    else this.#cached.delete(viewerId)
  }

  /** The limited viewers among the given ones. */
  #affect(viewers: UserSet): UserSet {
    const limited = viewers.intersection(this.limited)
    if (this.#base && limited.size > 0) this.#affected = this.#affected.union(limited)
    return limited
  }
}
