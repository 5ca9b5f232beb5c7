/** Brings custom emoji over, if their names are free. */

import { findImported, importKey } from '../../../db/imports/imported-ids.ts'
import { makePicture } from '../../changes/pictures/make-picture.ts'
import { answering } from '../../decisions/decision.ts'
import type { Fact } from '../../domain/events.ts'
import { EMOJI_SHARE } from '../../domain/channels/shares.ts'
import { EMOJI_MIB_MAX } from '../../domain/limits.ts'
import { findCustomEmoji, findEmojiNameFault } from '../../domain/organization/custom-emoji.ts'
import { ApiError, fail } from '../../errors/api-error.ts'
import type { Loading } from './load-channels.ts'
import type { ForeignEmoji } from './records.ts'
import { EntryError } from './zip-archive.ts'

/** Adds the emoji that no earlier run has added. */
export async function loadEmoji(loading: Loading): Promise<void> {
  const { source, target, report, filing } = loading
  if (!source.emoji || !filing) return
  for await (const emoji of source.emoji()) {
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
    const picture = await readPicture(loading, emoji)
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
  if (findCustomEmoji(target.state.emoji, name))
    return 'a custom emoji of a name that is taken: reactions show the present one'
  return target.state.emoji.length >= EMOJI_SHARE.everMax ? 'a custom emoji beyond the limit' : undefined
}

async function readPicture({ target, filing }: Loading, emoji: ForeignEmoji) {
  try {
    const file = await emoji.read()
    if (!filing || file.length > EMOJI_MIB_MAX * 1024 * 1024) return undefined
    const request = { kind: 'emoji', file, userId: target.owner.id } as const
    return await makePicture({ imager: filing.imager, sql: target.sql }, request, fail)
  } catch (error) {
    if (error instanceof EntryError || error instanceof ApiError) return undefined
    throw error
  }
}
