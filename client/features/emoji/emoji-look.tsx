/** The look of an emoji: its characters, or the picture of a custom one. Screen readers skip it. */

import type { Message } from '../../../packages/client/src/wire-types.ts'
import { useApp } from '../../app/app.ts'
import { charactersOf } from '../../store/emoji/emoji.ts'
import { ownPicture } from '../../ui/own-picture.ts'

/** An emoji as a reaction names it. */
export interface ReactionEmoji {
  readonly emoji_name: string
  readonly emoji_code: string
  readonly reaction_type: Message['reactions'][number]['reaction_type']
}

/** The picture of the server's own extra emoji. */
const EXTRA_PICTURE = '/static/emoji/parley.png'

export function EmojiLook({ emoji }: { readonly emoji: ReactionEmoji }) {
  const app = useApp()
  const { emoji_name: name, emoji_code: code, reaction_type: type } = emoji
  if (type === 'unicode_emoji')
    return (
      <span class="emoji-look" aria-hidden="true">
        {charactersOf(code)}
      </span>
    )
  const source = type === 'realm_emoji' ? app.customEmoji.value?.[code]?.source_url : EXTRA_PICTURE
  const picture = ownPicture(source ?? '')
  return picture === undefined ? (
    <span aria-hidden="true">:{name}:</span>
  ) : (
    <img class="emoji-look" src={picture} alt="" />
  )
}
