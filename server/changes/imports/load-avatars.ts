/** Brings the pictures of people over who have none here. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import { answering } from '../../decisions/decision.ts'
import type { Fact } from '../../domain/events.ts'
import { AVATAR_MIB_MAX } from '../../domain/limits.ts'
import type { Loading } from './loading.ts'
import { readPicture } from './load-emoji.ts'

/** Sets the pictures that no earlier run has set: a picture that was removed here since stays removed. */
export async function loadAvatars(loading: Loading): Promise<void> {
  const { source, target, people, report, filing } = loading
  if (!filing) return
  for (const { id, name, avatar } of source.lists.users.values()) {
    const userId = people.find(id)
    if (avatar === undefined || userId === undefined || target.state.avatars.has(userId)) continue
    // Without the bytes there is nothing to lose: the archive has no more than an address.
    if (
      (avatar.path === undefined || !(await source.files.open(avatar.path))) &&
      !(filing.fetch && avatar.address)
    )
      continue
    const key = importKey(source.origin, 'avatar', id)
    if ((await findImported(target.sql, [key])).has(key)) continue
    const picture = await readPicture(loading, avatar, { kind: 'avatar', mibMax: AVATAR_MIB_MAX })
    if (!picture) {
      report.lose({ place: undefined, reason: 'a picture of a person', example: `${id}: ${name}` })
      continue
    }
    await target.change(
      ({ state }) => {
        const version = state.getUser(userId).avatarVersion + 1
        const avatarHere = { pictureId: picture.id, version }
        const facts: Fact[] = state.avatars.has(userId)
          ? []
          : [{ type: 'realm_user/avatar', userId, avatar: avatarHere }]
        return answering(undefined, facts)
      },
      () => [[key, userId]],
    )
    report.users.pictures++
  }
}
