/** Brings custom emoji over, if their names are free. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import { makePicture, type StoredPicture } from '../pictures/make-picture.ts'
import { answering } from '../../decisions/decision.ts'
import type { Fact } from '../../domain/events.ts'
import { EMOJI_SHARE } from '../../domain/channels/shares.ts'
import { EMOJI_MIB_MAX } from '../../domain/limits.ts'
import { findCustomEmoji, findEmojiNameFault } from '../../domain/organization/custom-emoji.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import type { Loading } from './loading.ts'
import { openBytes, readWhole } from './foreign-bytes.ts'
import type { ForeignBytes, ForeignEmoji } from './records.ts'
import { EntryError } from './archive.ts'

const MIB = 1024 * 1024
/** The reason why an emoji stays away. */
export const TAKEN_EMOJI = 'a custom emoji of a name that is taken: reactions show the present one'

/** Adds the emoji that no earlier run has added. */
export async function loadEmoji(loading: Loading): Promise<void> {
  const { source, target, report, filing } = loading
  if (!filing) return
  for (const emoji of source.lists.emoji.values()) {
    const key = importKey(source.origin, 'emoji', emoji.name)
    if ((await findImported(target.sql, [key])).has(key)) continue
    const reason = findEmojiNameFault(emoji.name)
      ? 'a custom emoji with an invalid name'
      : findFault(loading, emoji)
    const lose = (why: string) => report.lose({ place: undefined, reason: why, example: `:${emoji.name}:` })
    if (reason !== undefined) {
      lose(reason)
      continue
    }
    const authorId = loading.people.find(emoji.author) ?? target.owner.id
    const picture = await readPicture(loading, emoji.picture, { kind: 'emoji', mibMax: EMOJI_MIB_MAX })
    if (!picture) {
      lose('a custom emoji without a picture')
      continue
    }
    await target.change(
      ({ state }) => {
        const { id: pictureId, isAnimated } = picture
        const made = {
          id: state.nextEmojiId,
          name: emoji.name,
          authorId,
          pictureId,
          isAnimated,
          isDeactivated: false,
        }
        const facts: Fact[] = findCustomEmoji(state.emoji, emoji.name)
          ? []
          : [{ type: 'realm_emoji/update', emoji: made }]
        return answering(undefined, facts)
      },
      () => [[key, 0]],
    )
  }
}

function findFault({ target }: Loading, { name }: ForeignEmoji): string | undefined {
  if (findCustomEmoji(target.state.emoji, name)) return TAKEN_EMOJI
  return target.state.emoji.length >= EMOJI_SHARE.everMax ? 'a custom emoji beyond the limit' : undefined
}

/** A picture that is made and stored; undefined if it cannot be had, or is none. */
export async function readPicture(
  loading: Loading,
  picture: ForeignBytes,
  { kind, mibMax }: { readonly kind: 'avatar' | 'emoji'; readonly mibMax: number },
): Promise<StoredPicture | undefined> {
  const { target, filing } = loading
  try {
    const entry = await openBytes(loading, picture, kind)
    if (!filing || !entry) return undefined
    const file = await readWhole(entry, mibMax * MIB)
    const request = { kind, file, userId: target.owner.id } as const
    return await makePicture({ imager: filing.imager, sql: target.sql }, request, fail)
  } catch (error) {
    if (error instanceof EntryError || error instanceof ApiError) return undefined
    throw error
  }
}
