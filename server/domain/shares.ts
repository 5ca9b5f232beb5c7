/**
 * How much of what everyone shares one person may add: channels, user groups, custom emoji. So nobody uses up what the
 * organization can hold. What a person's bots add counts as theirs. Administrators have no share, and take away what
 * others have too much of; the end of the whole organization holds for them as well.
 */

import { isAdministrator } from './channel-access.ts'
import type { User } from './entities.ts'
import type { UserId } from './ids.ts'

/** One kind of things that people add. */
export interface Share {
  /** What they are called, in the plural. */
  readonly things: string
  /** Those of one person that are in use. */
  readonly perPersonMax: number
  /** Those of one person, deactivated ones included: they stay for old messages, and so must end somewhere. */
  readonly everPerPersonMax: number
  /** Those of all, deactivated ones included: every registration lists them. */
  readonly everMax: number
}

/** More than one person looks after: in the organizations of the API family whole teams have fewer. */
export const CHANNEL_SHARE: Share = {
  things: 'channels',
  perPersonMax: 500,
  everPerPersonMax: 2_000,
  everMax: 100_000,
}
export const GROUP_SHARE: Share = {
  things: 'user groups',
  perPersonMax: 200,
  everPerPersonMax: 1_000,
  everMax: 20_000,
}
/** Every change of one tells everyone of all. */
export const EMOJI_SHARE: Share = {
  things: 'custom emoji',
  perPersonMax: 200,
  everPerPersonMax: 1_000,
  everMax: 10_000,
}

/** One such thing. */
export interface SharedThing {
  readonly makerId: UserId | null
  readonly isInUse: boolean
}

/** Why there is no room for so many more. */
export interface ShareEnd {
  readonly whose: 'person' | 'organization'
  readonly countMax: number
}

/** So many more of a user, beside those that there are. */
export interface ShareAddition {
  readonly things: Iterable<SharedThing>
  readonly user: User
  readonly addedCount: number
  readonly getUser: (id: UserId) => User
}

/** The end that a user would pass by adding so many; undefined where there is none. */
export function findShareEnd(
  share: Share,
  { things, user, addedCount, getUser }: ShareAddition,
): ShareEnd | undefined {
  const personOf = ({ id, botOwnerId }: User) => botOwnerId ?? id
  const personId = personOf(user)
  let inUse = addedCount
  let own = addedCount
  let all = addedCount
  for (const { makerId, isInUse } of things) {
    all++
    if (makerId === null || (makerId !== personId && personOf(getUser(makerId)) !== personId)) continue
    own++
    if (isInUse) inUse++
  }
  const { perPersonMax, everPerPersonMax, everMax } = share
  if (all > everMax) return { whose: 'organization', countMax: everMax }
  if (isAdministrator(user)) return undefined
  if (inUse > perPersonMax) return { whose: 'person', countMax: perPersonMax }
  return own > everPerPersonMax ? { whose: 'person', countMax: everPerPersonMax } : undefined
}
