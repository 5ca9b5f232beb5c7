/** Who knows whom, as the state is: of those who do not know everyone, found when first asked for. */

import type { ChannelAccess } from '../domain/channel-access.ts'
import type { GroupSetting } from '../domain/group-settings.ts'
import type { ChannelId, UserId } from '../domain/ids.ts'
import type { OrganizationPermissions } from '../domain/permissions.ts'
import type { Rights } from '../domain/rights.ts'
import { knownUsers, limitedViewers } from '../domain/user-access.ts'
import { UserSet } from '../domain/user-set.ts'

/** If more users leave a channel together, it is quicker to look at all the viewers who stay anew. */
const LEAVERS_MAX = 20

/** What makes users known to each other. */
interface SightSource {
  readonly rights: Rights
  readonly permissions: OrganizationPermissions
  readonly channels: ReadonlyMap<ChannelId, ChannelAccess>
  readonly bots: UserSet
  readonly partners: ReadonlyMap<UserId, UserSet>
}

/** While nobody is limited, every question is one look at an empty set. */
export class UserSight {
  readonly #source: SightSource
  /** The sight before the changes of an overlay. */
  readonly #base: UserSight | undefined
  #limited: { readonly rights: Rights; readonly setting: GroupSetting; readonly viewers: UserSet } | undefined
  /** By viewer, until something changes that makes users known; undefined in an overlay: to be found anew. */
  readonly #known = new Map<UserId, UserSet | undefined>()
  /** Viewers of an overlay who may know others than in its base. */
  #affected = UserSet.empty

  constructor(source: SightSource, base?: UserSight) {
    this.#source = source
    this.#base = base
    if (base) this.#limited = base.#limited
  }

  /** Users who do not know everyone. */
  get limited(): UserSet {
    const { rights, permissions } = this.#source
    const setting = permissions.canAccessAllUsers
    if (this.#limited?.rights !== rights || this.#limited.setting !== setting) {
      const viewers = limitedViewers(rights, setting)
      this.#limited = { rights, setting, viewers }
      for (const id of this.#known.keys()) if (!viewers.has(id)) this.#drop(id)
    }
    return this.#limited.viewers
  }

  /** Viewers of an overlay who may know others than in its base; each is worth comparing. */
  get changing(): UserSet {
    const before = this.#base?.limited ?? UserSet.empty
    const after = this.limited
    if (this.#affected.size === 0 && before === after) return UserSet.empty
    return this.#affected
      .intersection(before.union(after))
      .union(before.difference(after))
      .union(after.difference(before))
  }

  /** Whom a user knows; undefined for everyone. */
  of(viewerId: UserId): UserSet | undefined {
    const { limited } = this
    if (limited.size === 0 || !limited.has(viewerId)) return undefined
    const known = this.#find(viewerId)
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

  /** What makes users known to some viewers has changed. */
  forget(viewers: UserSet): void {
    this.#affect(viewers).forEach((id) => this.#drop(id))
  }

  /** Users come to where some viewers are; whom they themselves come to know is found anew. */
  widen(viewers: UserSet, userIds: readonly UserId[]): void {
    const joining = this.#affect(UserSet.of(userIds))
    this.#affect(viewers).forEach((id) => {
      const known = this.#find(id)
      if (known) this.#known.set(id, known.with(userIds))
    })
    joining.forEach((id) => this.#drop(id))
  }

  /** Users have gone from where some viewers are, who may still know them from elsewhere. */
  narrow(viewers: UserSet, userIds: readonly UserId[]): void {
    const leaving = this.#affect(UserSet.of(userIds))
    const staying = this.#affect(viewers)
    leaving.forEach((id) => this.#drop(id))
    if (userIds.length > LEAVERS_MAX) return staying.forEach((id) => this.#drop(id))
    if (staying.size === 0) return
    const { channels, bots, partners } = this.#source
    for (const id of userIds) {
      if (bots.has(id)) continue
      // Leaving bots aside, those whom they know know them.
      const knowing = knownUsers(id, {
        channels: channels.values(),
        bots: UserSet.empty,
        partners: partners.get(id),
      })
      staying.difference(knowing).forEach((viewerId) => {
        const known = this.#find(viewerId)
        if (known) this.#known.set(viewerId, known.without([id]))
      })
    }
  }

  /** Everyone knows these from now on; clients hear of them as of new users. */
  introduce(userIds: readonly UserId[]): void {
    this.limited.forEach((id) => {
      const known = this.#find(id)
      if (known) this.#known.set(id, known.with(userIds))
    })
  }

  /** Whom a viewer is known to know, in the base of an overlay too. */
  #find(viewerId: UserId): UserSet | undefined {
    if (this.#known.has(viewerId)) return this.#known.get(viewerId)
    return this.#base?.of(viewerId)
  }

  #drop(viewerId: UserId): void {
    if (this.#base) this.#known.set(viewerId, undefined)
    else this.#known.delete(viewerId)
  }

  /** The limited among some viewers. */
  #affect(viewers: UserSet): UserSet {
    const limited = viewers.intersection(this.limited)
    if (this.#base && limited.size > 0) this.#affected = this.#affected.union(limited)
    return limited
  }
}
