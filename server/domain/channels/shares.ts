/**
 * Shares: how many channels, user groups and custom emoji one person may add, so that nobody uses up the organization's
 * limits. A bot's additions count as its owner's. Administrators have no share, since they remove other people's
 * surplus; the organization's limits hold for them as well.
 */

import { isAdministrator } from '../../../packages/rules/roles.ts'
import type { User } from '../entities.ts'
import type { UserId } from '../ids.ts'

/** The limits of one kind of things. */
export interface Share {
  /** Its plural name. */
  readonly items: string
  /** Active ones of one person. */
  readonly perPersonMax: number
  /** All of one person, deactivated ones included: they stay for old messages, so they need a limit too. */
  readonly everPerPersonMax: number
  /** All of the organization, deactivated ones included: every registration lists them. */
  readonly everMax: number
}

/** More than one person can manage: whole teams have fewer in organizations of the API family. */
export const CHANNEL_SHARE: Share = {
  items: 'channels',
  perPersonMax: 500,
  everPerPersonMax: 2_000,
  everMax: 100_000,
}
export const GROUP_SHARE: Share = {
  items: 'user groups',
  perPersonMax: 200,
  everPerPersonMax: 1_000,
  everMax: 20_000,
}
/** Every change of one sends all of them to everyone. */
export const EMOJI_SHARE: Share = {
  items: 'custom emoji',
  perPersonMax: 200,
  everPerPersonMax: 1_000,
  everMax: 10_000,
}

/** A thing that counts towards a share. */
export interface SharedItem {
  readonly creatorId: UserId | null
  readonly isInUse: boolean
}

/** The limit that an addition would pass. */
export interface ShareLimit {
  readonly whose: 'person' | 'organization'
  readonly countMax: number
}

/** A user's addition, with the things that exist. */
export interface ShareAddition {
  readonly items: Iterable<SharedItem>
  readonly user: User
  readonly addedCount: number
  readonly getUser: (id: UserId) => User
}

/** The limit that a user's addition would pass, or undefined. */
export function findShareLimit(
  share: Share,
  { items, user, addedCount, getUser }: ShareAddition,
): ShareLimit | undefined {
  const personOf = ({ id, botOwnerId }: User) => botOwnerId ?? id
  const personId = personOf(user)
  let inUse = addedCount
  let own = addedCount
  let all = addedCount
  for (const { creatorId, isInUse } of items) {
    all++
    if (creatorId === null || (creatorId !== personId && personOf(getUser(creatorId)) !== personId)) continue
    own++
    if (isInUse) inUse++
  }
  const { perPersonMax, everPerPersonMax, everMax } = share
  if (all > everMax) return { whose: 'organization', countMax: everMax }
  if (isAdministrator(user)) return undefined
  if (inUse > perPersonMax) return { whose: 'person', countMax: perPersonMax }
  return own > everPerPersonMax ? { whose: 'person', countMax: everPerPersonMax } : undefined
}
