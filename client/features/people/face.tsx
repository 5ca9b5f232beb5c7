/** The picture of a user, or the first letter of the name on a colour of their own. */

import { ownPicture } from '../../ui/own-picture.ts'
import { makeOnce } from '../../store/make-once.ts'

/** Dark enough for white letters. */
const COLORS = ['#2f7d4f', '#9a4d2e', '#6b4a9c', '#33638f', '#b0436d', '#586868', '#0b7a75', '#7a5c1e']

interface FaceProps {
  readonly userId: number
  readonly name: string
  readonly picture?: string | null | undefined
  readonly size: 'small' | 'medium' | 'large'
  readonly presence?: 'active' | 'idle' | undefined
}

/** Screen readers skip it, since the name stands beside it. */
export function Face({ userId, name, picture, size, presence }: FaceProps) {
  const address = ownPicture(picture ?? '')
  return (
    <span
      class={`face ${size}`}
      // While a picture loads, another colour than its own would flicker.
      style={{ background: address === undefined ? COLORS[userId % COLORS.length] : 'var(--sunk)' }}
      data-user={userId}
      aria-hidden="true"
    >
      {address === undefined ? firstLetter(name) : <img src={address} alt="" loading="lazy" />}
      {presence && <i class={`presence ${presence}`} />}
    </span>
  )
}

const letters = makeOnce(() => new Intl.Segmenter())

function firstLetter(name: string): string {
  for (const { segment } of letters().segment(name.trim())) return segment.toLocaleUpperCase()
  return '?'
}
