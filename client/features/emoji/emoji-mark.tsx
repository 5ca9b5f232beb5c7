/** The look of one emoji: its characters, or the picture of the organization. */

import { charactersOf, type Emoji } from '../../store/emoji/emoji.ts'
import { ownPicture } from '../../ui/own-picture.ts'

/** Screen readers skip it, since the name stands beside it. */
export function EmojiMark({ emoji }: { readonly emoji: Emoji }) {
  const address = ownPicture(emoji.picture ?? '')
  if (address !== undefined) return <img class="emoji-mark" src={address} alt="" loading="lazy" />
  return (
    <span class="emoji-mark" aria-hidden="true">
      {emoji.type === 'unicode_emoji' ? charactersOf(emoji.code) : '·'}
    </span>
  )
}
